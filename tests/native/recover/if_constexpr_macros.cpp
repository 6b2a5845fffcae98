// `if constexpr` whose keywords come from macros.
#include <cstdio>
#define IF_DEBUG if constexpr (sizeof(int) == 8)
template<int N> void f(){ if constexpr (N > 2) /* else: fall through */ printf("big %d\n", N); printf("f %d\n", N); }
template<class T> struct Relse { static constexpr bool value = false; };
int main(){ f<1>(); f<3>(); IF_DEBUG { printf("wrong\n"); } printf("done\n");
  if constexpr (Relse<int>::value) { puts("wrong2"); }
#define COND(x) (x)
  if constexpr COND(false) /*else*/ puts("wrong3");
}
