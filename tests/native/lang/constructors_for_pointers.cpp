// Qualifiers of arrays and pointers, where elements of lists choose a constructor.
#include <cstdio>
struct Pt { int k; Pt(void *) : k(1) {} Pt(const int *) : k(2) {} Pt(bool) : k(4) {} };
struct Pu { int k; Pu(void *) : k(1) {} Pu(bool) : k(4) {} };
int main() { Pt a[] = {"x"}; Pu b[] = {"x"}; const char *p = "y"; Pu d[] = {p}; volatile int v; volatile int *pv = &v; Pu e[] = {pv}; const int *q[2] = {}; Pu f[] = {q}; printf("%d %d %d %d %d\n", a[0].k, b[0].k, d[0].k, e[0].k, f[0].k); }
