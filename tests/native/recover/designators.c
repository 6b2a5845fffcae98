// Designators with ranges, behind a macro, nested, and several in a row.
#include <stdio.h>
#define R(a,b) [a ... b]
struct S { int a[8]; int b; struct { int c[3]; } d; };
int g[10] = { [2 ... 4] = 7, [6] = 1, R(8, 9) = 3 };
struct S s = { .a[1 ... 2] = 4, .a[5] = 6, .b = 2, .d.c[0 ... 1] = 9 };
int main(void) {
  int m[3][4] = { [0][1 ... 2] = 5, [2] = { [0] = 8 } };
  int z[] = { [3] = 1, 2, [0 ... 1] = (1 ? 2 : 3) };
  struct S *p = &(struct S){ .a = { [7] = 1, [0 ... 3] = 2 } };
  for (int i = 0; i < 10; i++) printf("%d ", g[i]);
  for (int i = 0; i < 8; i++) printf("%d ", s.a[i]); printf("%d %d %d %d\n", s.b, s.d.c[0], s.d.c[1], s.d.c[2]);
  for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) printf("%d ", m[i][j]);
  for (unsigned i = 0; i < sizeof z / sizeof *z; i++) printf("%d ", z[i]);
  for (int i = 0; i < 8; i++) printf("%d ", p->a[i]);
  puts("");
}
