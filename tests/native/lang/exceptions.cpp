// Exceptions: what is caught by what, what is destroyed on the way and in which order.
#include <cstdio>
#include <stdexcept>

struct T {
    int n;
    explicit T(int n) : n(n) { printf("+%d ", n); }
    T(const T& o) : n(o.n + 100) { printf("c%d ", n); }
    T(T&& o) : n(o.n + 200) { printf("m%d ", n); }
    ~T() { printf("-%d ", n); }
};
struct Base { virtual ~Base() {} virtual const char* name() const { return "Base"; } };
struct Left : Base { const char* name() const override { return "Left"; } };
struct Right : Base { const char* name() const override { return "Right"; } };
struct Both : Left, Right {};
struct Leaf : Left { int x = 7; const char* name() const override { return "Leaf"; } };
struct Hidden : private Base {};
enum Colour { red = 3 };
struct Throws { Throws(int n) { printf("Throws%d ", n); if (n) throw n; } ~Throws() { printf("~Throws "); } };

static void raise(int n) {
    T local(1000 + n);
    switch (n) {
    case 0: throw 42;
    case 1: throw 4.5;
    case 2: throw 'c';
    case 3: throw "text";
    case 4: throw Base();
    case 5: throw Leaf();
    case 6: throw Both();
    case 7: throw std::runtime_error("runtime");
    case 8: throw std::out_of_range("range");
    case 9: throw T(9);
    case 10: throw red;
    case 11: throw 42u;
    case 12: throw 42L;
    case 13: { static Leaf leaf; throw &leaf; }
    case 14: { static Leaf leaf; const Leaf* p = &leaf; throw p; }
    case 15: throw nullptr;
    case 16: { static int i = 5; throw &i; }
    case 17: throw Hidden();
    case 18: { T t(18); throw t; }
    case 19: throw true;
    case 20: throw std::bad_alloc();
    }
    printf("not reached ");
}
static const char* attempt(int n) {
    try {
        T inside(2000 + n);
        raise(n);
    } catch (int i) { printf("int %d ", i); return "int";
    } catch (unsigned i) { printf("unsigned %u ", i);
    } catch (double& d) { printf("double& %g ", d);
    } catch (const char* s) { printf("text %s ", s); return "text";
    } catch (char c) { printf("char %c ", c);
    } catch (Left& l) { printf("Left& %s ", l.name());
    } catch (Base& b) { printf("Base& %s ", b.name());
    } catch (Left* l) { printf("Left* %s ", l ? l->name() : "null");
    } catch (const Base* b) { printf("const Base* %s ", b ? b->name() : "null");
    } catch (const std::logic_error& e) { printf("logic %s ", e.what());
    } catch (std::exception& e) { printf("exception %s ", e.what());
    } catch (T t) { printf("T %d ", t.n);
    } catch (Colour c) { printf("Colour %d ", c);
    } catch (void* p) { printf("void* %d ", p != nullptr);
    } catch (...) { printf("... "); }
    return "end";
}

static int nested(int n) {
    try {
        T a(1);
        try {
            T b(2);
            if (n == 0) throw 1;
            if (n == 1) throw 2.0;
            if (n == 2) throw 'c';
            if (n == 3) throw "s";
        } catch (int i) {
            printf("inner int ");
            T c(3);
            throw;
        } catch (double d) {
            printf("inner double ");
            T c(4);
            throw 7L;
        } catch (char) {
            printf("inner char ");
            return 10;
        }
        printf("after inner ");
    } catch (int i) { printf("outer int %d ", i);
    } catch (long l) { printf("outer long %ld ", l);
    } catch (...) { printf("outer any "); }
    return n;
}

struct Member { T a; Throws b; T c; Member(int n) : a(1), b(n), c(3) { printf("Member "); } ~Member() { printf("~Member "); } };
struct Derived : T, Member {
    T last;
    Derived(int n, bool late) : T(50), Member(n), last(60) { printf("Derived "); if (late) throw 'd'; }
    ~Derived() { printf("~Derived "); }
};
struct Delegates {
    T t{70};
    Delegates() { printf("first "); }
    Delegates(int) : Delegates() { printf("second "); throw 1; }
    ~Delegates() { printf("~Delegates "); }
};
struct Tries {
    T t;
    Tries(int n) try : t(80), inner(n) { printf("Tries "); } catch (int i) { printf("in constructor %d ", i); }
    Throws inner;
};
static int counter;
struct Counted {
    int n;
    Counted() : n(++counter) { printf("+C%d ", n); if (n == 4) { --counter; throw n; } }
    ~Counted() { printf("-C%d ", n); --counter; }
};
static int whole(int n) try { T t(90); if (n) throw n; return 1; } catch (int i) { printf("whole %d ", i); return 2; }

struct Loud { ~Loud() noexcept(false) { printf("~Loud "); throw 5; } };

static T by_value(bool fail) { T result(500); T other(501); if (fail) throw 1; return result; }

int main() {
    for (int n = 0; n <= 20; ++n) { const char* s = attempt(n); printf("| %d %s\n", n, s); }
    for (int n = 0; n < 5; ++n) { int r = nested(n); printf("| nested %d %d\n", n, r); }
    for (int n = 0; n < 2; ++n) {
        try { Member m(n); printf("made "); } catch (int i) { printf("caught %d ", i); }
        printf("| member\n");
        try { Member* m = new Member(n); printf("made "); delete m; } catch (int i) { printf("caught %d ", i); }
        printf("| new\n");
        for (int late = 0; late < 2; ++late) {
            try { Derived d(n, late); printf("made "); } catch (...) { printf("caught "); }
            printf("| derived\n");
        }
        try { Tries t(n); } catch (int i) { printf("caught %d ", i); }
        printf("| function try\n");
        printf("%d | whole\n", whole(n));
        try { T t = by_value(n); printf("got %d ", t.n); } catch (int) { printf("caught "); }
        printf("| by value\n");
    }
    try { Delegates d(1); } catch (int) { printf("caught "); }
    printf("| delegates\n");
    counter = 0;
    try { Counted c[6]; } catch (int i) { printf("caught %d ", i); }
    printf("| array %d\n", counter);
    counter = 0;
    try { Counted* c = new Counted[6]; delete[] c; } catch (int i) { printf("caught %d ", i); }
    printf("| new array %d\n", counter);
    counter = 0;
    try { Counted c[2][3]; } catch (int i) { printf("caught %d ", i); }
    printf("| two dimensions %d\n", counter);
    try { Loud l; printf("body "); } catch (int i) { printf("caught %d ", i); }
    printf("| loud\n");
    for (int i = 0; i < 4; ++i) {
        try { T t(i); if (i == 1) continue; if (i == 3) break; throw i; } catch (int n) { T u(n + 10); if (n == 2) continue; printf("end "); }
        printf("loop ");
    }
    printf("| loop\n");
    try { try { throw Leaf(); } catch (Base b) { printf("sliced %s ", b.name()); throw; } } catch (Leaf& l) { printf("again %s %d ", l.name(), l.x); }
    printf("| slice\n");
    try { throw T(1); } catch (T& t) { t.n = 77; try { throw; } catch (T& u) { printf("same %d ", u.n); } }
    printf("| change\n");
    int x = 1;
    try { int y = x ? throw 5 : 2; printf("%d", y); } catch (int i) { printf("conditional %d ", i); }
    printf("| conditional\n");
    try { try { throw 1; } catch (int) { try { throw 2; } catch (int i) { printf("second %d ", i); } throw; } } catch (int i) { printf("first %d ", i); }
    printf("| two at once\n");
    return 0;
}
