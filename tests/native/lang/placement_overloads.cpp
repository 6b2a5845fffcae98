// `new` with placement arguments that several functions of the program take: pointers, classes, numbers.
#include <cstdio>
#include <cstdlib>
#include <new>
struct Pool { char room[64]; int used = 0; };
struct Sub : Pool {};
struct Conv { char *p; operator void *() const { return p; } };
struct From { int n; From(int k) : n(k) {} };
static int seen;
void *operator new(size_t n, Pool *p) { seen = 1; return p->room; }
void *operator new(size_t n, Pool &p) { seen = 2; return p.room; }
void *operator new(size_t n, long k) { seen = 3 + int(k); return malloc(n); }
void *operator new(size_t n, const From &f) { seen = 100 + f.n; return malloc(n); }
void *operator new(size_t n, const char *what, int line) { seen = line; return malloc(n); }
void *operator new[](size_t n, double d) { seen = int(d); return malloc(n); }
struct C { int v = 1;
  static void *operator new(size_t n, long k) { seen = 20 + int(k); return malloc(n); }
  static void *operator new(size_t n, Pool *k) { seen = 30; return k->room; }
  static void *operator new(size_t n, Pool &k) { seen = 40; return k.room; }
  static void *operator new(size_t n, void *k) { seen = 50; return k; } };
struct D { int v = 2; template <class T> static void *operator new(size_t n, T k) { seen = sizeof(T); return malloc(n); } };
int main() {
    Pool pool; Sub sub; char room[64];
    int *a = new (&pool) int(1); printf("%d %d\n", seen, *a);
    int *b = new (&sub) int(2); printf("%d %d\n", seen, *b);
    int *c = new (pool) int(3); printf("%d %d\n", seen, *c);
    int *d = new (sub) int(4); printf("%d %d\n", seen, *d);
    int *e = new (5L) int(5); printf("%d %d\n", seen, *e); free(e);
    seen = 0; int *g = new (room) int(7); printf("%d %d\n", seen, *g);
    int *h = new ("file", 12) int(8); printf("%d %d\n", seen, *h); free(h);
    int *i = new (2.5f) int[3]; printf("%d\n", seen); free(i);
    Conv conv{room}; seen = 0; int *k = new (conv) int(9); printf("%d %d\n", seen, *k);
    From from(3); int *l = new (from) int(10); printf("%d %d\n", seen, *l); free(l);
    C *m = new (3) C; printf("%d %d\n", seen, m->v); free(m);
    m = new (&sub) C; printf("%d %d\n", seen, m->v);
    m = new (sub) C; printf("%d %d\n", seen, m->v);
    m = new (room) C; printf("%d %d\n", seen, m->v);
    m = new ('c') C; printf("%d %d\n", seen, m->v); free(m);
    D *n = new ('c') D; printf("%d %d\n", seen, n->v); free(n);
    n = new (3.0) D; printf("%d %d\n", seen, n->v); free(n);
}
