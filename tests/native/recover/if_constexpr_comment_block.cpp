// A block comment with `else` behind `if constexpr (false)`.
#include <cstdio>
int main(){
  if constexpr (sizeof(int) == 8) /* nothing else matters */ { printf("wrong\n"); }
  printf("done\n");
}
