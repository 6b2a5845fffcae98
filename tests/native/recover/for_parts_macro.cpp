// Parts of `for` that come from macros.
#include <cstdio>
#define LOOP(init) for (init;;)
int main(){
  int n = 0, s = 0;
  for (n = 0;;) { if (++n > 3) break; s += n; }
  for (;; n--) { if (n < 0) break; s += 100; }
  auto l = [&]{ int k=0; for (;; k++) { if (k > 2) break; s += 1000; } };
  l();
  LOOP(n = 5) { if (n++ > 7) break; s += 10000; }
  printf("%d\n", s);
  struct B { unsigned a : 3 = 5; unsigned b : 4 {2 + 1}; };
}
