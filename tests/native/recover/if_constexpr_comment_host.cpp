// Comments with `else` behind `if constexpr`.
#include <cstdio>
#include <cstdlib>
#include <new>
enum class my_align_val_t : unsigned long { a = 16 };
void* operator new(std::size_t n, my_align_val_t t) { printf("mine %lu\n", (unsigned long)t); return malloc(n); }
int main(){ int *p = new (my_align_val_t::a) int(3); printf("%d\n", *p); free(p);
#define ELSE_FREE 1
  int x = 0;
  if constexpr (false) // or else
    x = 1;
  printf("x %d\n", x); }
