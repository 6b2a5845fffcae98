// A string literal is no `char *` from C++11 on. clang takes it as one where nothing else fits, in lists as elsewhere; g++
// prefers it to `bool` and `...`.
#include <cstdio>
struct B { int k; B(char *) : k(1) {} B(bool) : k(4) {} };
struct E { int k; E(char *) : k(1) {} E(void *) : k(2) {} E(...) : k(5) {} };
struct O { int k; O(char *) : k(1) {} };
struct C { int k; C(char *) : k(1) {} C(const char *) : k(3) {} };
int main() {
    B b("x"), bs[] = {"x"};
    E e("x"), es[] = {"x"};
    O o("x"), os[] = {"x"};
    C c("x"), cs[] = {"x"};
    printf("%d%d %d%d %d%d %d%d\n", b.k, bs[0].k, e.k, es[0].k, o.k, os[0].k, c.k, cs[0].k);
}
