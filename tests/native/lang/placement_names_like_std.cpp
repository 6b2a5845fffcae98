// Placement arguments of types that have the names of the library's.
#include <cstdio>
#include <cstdlib>
#include <new>
static int seen;
namespace user { struct nothrow_t {}; enum class align_val_t : unsigned long { x = 8 }; const nothrow_t nothrow{}; }
void *operator new(size_t n, const user::nothrow_t &) { seen = 3; return malloc(n); }
void *operator new[](size_t n, user::align_val_t) { seen = 4; return malloc(n); }
void *operator new(size_t n, user::align_val_t, int) { seen = 5; return malloc(n); }
struct nothrow_t { char room[32]; };
void *operator new(size_t n, nothrow_t &where) { seen = 6; return where.room; }
struct alignas(16) T { int v = 7; };
struct C { int v = 1;
  static void *operator new(size_t n) { seen = 7; return malloc(n); }
  static void *operator new(size_t n, user::align_val_t a) { seen = 8; return malloc(n); }
  static void operator delete(void *p) { seen = 9; free(p); } };
int operators(int x) { return x + 1; }
int operator_apply(int (*f)(int), int x) { return f(x) * 2; }
int apply(int (*f)(int), int x) { return f(x) * 3; }
int main() {
    T *p = new (user::nothrow) T; printf("%d %d\n", seen, p->v); free(p);
    T *q = new (user::align_val_t::x) T[2]; printf("%d %d\n", seen, q[1].v); free(q);
    nothrow_t room; int *r = new (room) int(5); printf("%d %d %d\n", seen, *r, (char *)r == room.room);
    C *c = new C; printf("%d\n", seen); delete c; printf("%d\n", seen);
    C *d = new (user::align_val_t::x) C; printf("%d\n", seen); delete d; printf("%d\n", seen);
    printf("%d %d %d\n", operators(1), operator_apply(operators, 2), apply(operators, 3));
    printf("%d\n", operator_apply([](int x) { return operators(x); }, 4));
}
