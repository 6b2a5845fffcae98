// `new` and `delete` by templates, by using-declarations, by enumerations.
#include <cstdio>
#include <cstdlib>
#include <new>
struct Pool { char room[64]; };
static int seen;
template <class T> void *operator new(size_t n, T *p, int k) { seen = k + sizeof(T); return p->room; }
template <class T> void operator delete(void *, T *, int k) { printf("undo %d %d\n", k, (int)sizeof(T)); }
template <class... T> void *operator new(size_t n, const char *f, T... rest) { seen = sizeof...(T); return malloc(n); }
template <class... T> void operator delete(void *p, const char *f, T... rest) { printf("undo %s %d\n", f, (int)sizeof...(T)); free(p); }
struct B { void *operator new(size_t n) { seen = 70; return malloc(n); } void operator delete(void *p) { seen = 71; free(p); } };
struct D : B { using B::operator new; static void *operator new(size_t n, int k) { seen = 80 + k; return malloc(n); } };
struct E : B { static void *operator new(size_t n, int k) { seen = 90 + k; return malloc(n); } };
struct Thrower { Thrower(int k) { if (k) throw k; } };
enum Color { red }; enum class Shade : char { dark };
void *operator new(size_t n, Color c) { seen = 200; return malloc(n); }
void *operator new(size_t n, Shade c) { seen = 201; return malloc(n); }
void *operator new(size_t n, bool c) { seen = 202; return malloc(n); }
void *operator new(size_t n, unsigned char c) { seen = 203; return malloc(n); }
namespace q { struct nothrow_t {}; void *operator_new(size_t, const nothrow_t &); }
template <class T> struct Tm { static void *operator new(size_t n) { seen = 300 + sizeof(T); return malloc(n); } static void operator delete(void *p) { seen = 400 + sizeof(T); free(p); } T v; };
int main() {
    Pool pool;
    int *a = new (&pool, 7) int(1); printf("%d %d\n", seen, *a);
    try { new (&pool, 8) Thrower(1); } catch (int) {}
    int *b = new ("x") int(2); printf("%d %d\n", seen, *b); free(b);
    b = new ("x", 1, 2.0) int(3); printf("%d %d\n", seen, *b); free(b);
    try { new ("y", 1L, 2L) Thrower(2); } catch (int) {}
    D *d = new D; printf("%d\n", seen); delete d; printf("%d\n", seen); d = new (3) D; printf("%d\n", seen); delete d;
    E *e = new (4) E; printf("%d\n", seen); delete e;
    b = new (red) int(1); printf("%d\n", seen); free(b); b = new (Shade::dark) int(1); printf("%d\n", seen); free(b);
    b = new (true) int(1); printf("%d\n", seen); free(b); unsigned char u = 1; b = new (u) int(1); printf("%d\n", seen); free(b);
    auto *t = new Tm<double>{1}; printf("%d\n", seen); delete t; printf("%d\n", seen);
}
