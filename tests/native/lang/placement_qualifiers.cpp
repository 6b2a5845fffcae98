// Which of several functions a `new` with placement arguments calls: by enumerations, by qualifiers, by kinds of references.
#include <cstdio>
#include <cstdlib>
#include <new>
#include <utility>
enum class Heap { first, second };
enum class Pool { first, second };
struct Arena { char bytes[256]; };
static void *get(const char *from, size_t n) { printf("%s\n", from); return malloc(n); }
static void give(const char *to, void *p) { printf("back to %s\n", to); free(p); }

void *operator new(size_t n, Heap) { return get("heap", n); }
void operator delete(void *p, Heap) { give("heap", p); }
void *operator new(size_t n, Pool) { return get("pool", n); }
void operator delete(void *p, Pool) { give("pool", p); }
void *operator new(size_t n, const int) { return get("int", n); }
void operator delete(void *p, int) { give("int", p); }
void *operator new(size_t n, const void *) { return get("what may not be written", n); }
void *operator new(size_t n, const Arena &) { return get("constant arena", n); }
void operator delete(void *p, const Arena &) { give("constant arena", p); }
void *operator new(size_t n, Arena &) { return get("arena", n); }
void operator delete(void *p, Arena &) { give("arena", p); }
void *operator new(size_t n, Arena *) { return get("pointer to arena", n); }
void *operator new(size_t n, const Arena *) { return get("pointer to constant arena", n); }
namespace deep {
struct Base {};
struct Derived : Base {};
}
extern "C++" {
void *operator new(size_t n, deep::Base &, int) { return get("base", n); }
}

struct Thrower {
    Thrower(bool throws) { if (throws) throw 1; }
};

struct Own {
    Own(bool throws) { if (throws) throw 1; }
    static void *operator new(size_t n, const Arena &) { return get("own constant arena", n); }
    static void *operator new(size_t n, Arena &) { return get("own arena", n); }
    static void *operator new(size_t n, Arena &&) { return get("own arena about to end", n); }
    static void *operator new(size_t n, Heap) { return get("own heap", n); }
    static void *operator new(size_t n, Pool) { return get("own pool", n); }
    static void operator delete(void *p, Heap) { give("own heap", p); }
    static void operator delete(void *p, Pool) { give("own pool", p); }
    static void operator delete(void *p) { give("own", p); }
};

template <class T, class A> void fail(A &&a)
{
    try {
        new (std::forward<A>(a)) T(true);
    } catch (int) {
        puts("caught");
    }
}

int main()
{
    Arena a;
    const Arena &c = a;
    const int k = 0;
    enum { local };
    free(new (Heap::second) int);
    free(new (Pool::first) int);
    free(new (3) int);
    free(new ('x') int);
    free(new (local) int);
    free(new (&k) int);
    free(new (&a) int);
    free(new (&c) int);
    delete new (std::align_val_t(64)) int(4);
    fail<Thrower>(Heap::first);
    fail<Thrower>(Pool::second);
    fail<Thrower>(7);
    fail<Thrower>(a);
    fail<Thrower>(c);
    free(new (a) Thrower(false));
    free(new (c) Thrower(false));
    free(new (Arena{}) Thrower(false));
    fail<Own>(Heap::first);
    fail<Own>(Pool::first);
    delete new (a) Own(false);
    delete new (c) Own(false);
    delete new (Arena{}) Own(false);
    delete new (std::move(a)) Own(false);
    delete new (Pool::first) Own(false);
    deep::Base base;
    deep::Derived derived;
    free(new (base, 1) int);
    free(new (derived, 'a') int);
    return 0;
}
