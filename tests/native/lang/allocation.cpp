// `new` and `delete` that call functions of the program's own: of classes, of bases, replaced ones, placement, nothrow, failing ones.
#include <cstdio>
#include <cstdlib>
#include <new>

static int live;
void* operator new(size_t n) { ++live; void* p = malloc(n); if (!p) throw std::bad_alloc(); return p; }
void operator delete(void* p) noexcept { if (p) --live; free(p); }
void operator delete(void* p, size_t) noexcept { if (p) --live; free(p); }

struct Own {
    int n;
    Own(int n) : n(n) { printf("+%d ", n); if (n < 0) throw n; }
    ~Own() { printf("-%d ", n); }
    static void* operator new(size_t s) { printf("new%zu ", s); return malloc(s); }
    static void operator delete(void* p) { printf("delete "); free(p); }
    static void* operator new[](size_t s) { printf("new[] "); return malloc(s); }
    static void operator delete[](void* p) { printf("delete[] "); free(p); }
    static void* operator new(size_t s, const char* tag) { printf("%s%zu ", tag, s); return malloc(s); }
    static void operator delete(void* p, const char* tag) { printf("undo %s ", tag); free(p); }
    static void* operator new(size_t, void* p) { return p; }
};
struct Derived : Own { long more = 5; Derived(int n) : Own(n) {} };
struct Base { virtual ~Base() { printf("~Base "); } void operator delete(void* p, size_t n) { printf("free%zu ", n); ::operator delete(p); } };
struct Big : Base { char text[40]; ~Big() override { printf("~Big "); } };
struct Arena { char bytes[256]; size_t used = 0; };
void* operator new(size_t n, Arena& a) { void* p = a.bytes + a.used; a.used += (n + 15) & ~size_t(15); return p; }
struct Fails { Fails() { printf("made "); } static void* operator new(size_t) noexcept { printf("null "); return nullptr; } static void operator delete(void*) { printf("never "); } };
struct Plain { int a = 3; };
static void end() { printf("| %d\n", live); }

int main() {
    delete new Own(1); end();
    delete new Derived(2); end();
    delete[] new Own[2]{Own(3), Own(4)}; end();
    Own* tagged = new ("tag") Own(5); delete tagged; end();
    try { delete new Own(-1); } catch (int n) { printf("caught %d ", n); } end();
    Base* b = new Big; end(); delete b; end();
    { Arena a; Plain* p = new (a) Plain; Own* o = ::new (a.bytes + 128) Own(6); printf("%d %zu ", p->a, a.used); o->~Own(); } end();
    alignas(Own) char buffer[sizeof(Own)]; Own* placed = new ((void*)buffer) Own(7); placed->~Own(); end();
    Fails* f = new Fails; printf("%d ", f == nullptr); end();
    int* i = new int(8); printf("%d ", live); delete i; end();
    int* nil = nullptr; delete nil; Own* none = nullptr; delete none; end();
    Plain* q = new (std::nothrow) Plain; printf("%d ", q ? q->a : 0); delete q; end();
    Plain* row = new Plain[3]; printf("%d ", row[2].a); delete[] row; end();
    volatile long many = -1;
    try { int* p = new int[many]; printf("%p ", (void*)p); } catch (const std::bad_array_new_length& e) { printf("%s ", e.what()); } end();
    many = 0x7fffffffffffffff;
    try { long* p = new long[many]; printf("%p ", (void*)p); } catch (const std::bad_alloc& e) { printf("%s ", e.what()); } end();
    ::operator delete(::operator new(10)); end();
    return 0;
}
