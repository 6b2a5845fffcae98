// Temporaries: when they are made and destroyed, in every kind of full expression.
#include <cstdio>

static int depth;
struct T {
    int n;
    explicit T(int n) : n(n) { printf("+%d ", n); }
    T(const T& o) : n(o.n + 100) { printf("c%d ", n); }
    T(T&& o) : n(o.n + 200) { printf("m%d ", n); }
    ~T() { printf("-%d ", n); }
    T& operator=(const T& o) { n = o.n; printf("=%d ", n); return *this; }
    bool yes() const { return true; }
    bool no() const { return false; }
    operator int() const { return n; }
    const T& self() const { return *this; }
    T next() const { return T(n + 1); }
    int* where() { return &n; }
};
struct Pair { T a, b; };
struct Holder { const T& r; };
static T make(int n) { return T(n); }
static int take(T t) { printf("take%d ", t.n); return t.n; }
static int two(const T& a, const T& b) { printf("two "); return a.n + b.n; }
static void end(const char* what) { printf("| %s\n", what); }

static int in_return(bool flag) {
    return flag && T(1).yes() ? T(2).n : T(3).n;
}
static T choose(bool flag) { return flag ? T(10) : make(11); }

int main() {
    T(1); end("statement");
    T(1), T(2), T(3); end("comma");
    printf("%d ", T(1).n + T(2).n); end("sum");
    T named(99);
    for (int flag = 0; flag < 2; ++flag) {
        printf("%d ", flag ? T(1).n : T(2).n); end("?: scalar");
        printf("%d ", (flag ? T(1) : T(2)).n); end("?: class");
        printf("%d ", flag && T(1).yes()); end("&&");
        printf("%d ", flag || T(1).no()); end("||");
        printf("%d ", (flag && T(1).yes()) || (T(2).no() && T(3).yes())); end("mixed");
        (void)(flag ? (T(1), T(2), 0) : (T(3), 0)); end("comma in arms");
        if (flag && T(1).yes()) printf("then "); else printf("else "); end("if");
        if ((flag ? T(1) : T(2)).n == 1) printf("then "); end("if ?:");
        printf("%d ", in_return(flag)); end("return");
        { T t = choose(flag); printf("body "); } end("choose");
        { const T& r = flag ? T(1) : T(2); printf("body%d ", r.n); } end("bound ?:");
        printf("%d ", take(flag ? T(1) : make(2))); end("argument ?:");
        printf("%d ", two(flag ? T(1) : T(2), named)); end("two");
        printf("%d ", flag ? two(T(1), named) : (T(4).yes() && two(named, T(6)))); end("nested");
        printf("%d ", (flag ? T(1).yes() : T(2).no()) ? T(3).n : T(4).n); end("condition");
    }
    { const T& r = T(1); printf("body "); } end("bound");
    { T&& r = make(1); printf("body "); } end("bound &&");
    { const T& r = T(1).next(); printf("body%d ", r.n); } end("bound to second");
    { const int& r = T(1).n; printf("body%d ", r); } end("bound member");
    { const T& r = Pair{T(1), T(2)}.b; printf("body%d ", r.n); } end("bound member of aggregate");
    { Holder h{T(1)}; printf("body%d ", h.r.n); } end("bound in aggregate");
    { const T& a = T(1), &b = T(2); printf("body%d ", a.n + b.n); } end("two bound");
    { T a = make(1); T b = a; T c = static_cast<T&&>(a); printf("body "); } end("copies");
    { T a(1); a = T(2); printf("after "); } end("assign");
    { T a[3] = {T(1), T(2), T(3)}; printf("body "); } end("array");
    { Pair p = {T(1), make(2)}; printf("body "); } end("aggregate");
    { T* p = new T(T(1)); printf("made "); delete p; } end("new");
    { int i = 0; while (T(i).n < 2) { printf("w%d ", i); ++i; } } end("while");
    { int i = 0; do { printf("d%d ", i); ++i; } while (T(i).n < 2 && T(i + 10).yes()); } end("do");
    for (int i = 0; T(i).n < 2; i += T(1).n) printf("f%d ", i);
    end("for");
    for (T t(7); t.n < 9; t.n += make(1).n) printf("body%d ", t.n);
    end("for variable");
    switch (T(2).n) { case 1: printf("one "); break; case 2: { T x(5); printf("two "); break; } default: printf("other "); }
    end("switch");
    if (T t = T(3); t.n == 3) printf("then "); else printf("else ");
    end("if init");
    if (T t{4}) printf("then ");
    end("if variable");
    for (int i = 0; i < 4; ++i) {
        T t(i);
        if (i == 1) continue;
        T u(i + 10);
        if (i == 2) break;
        printf("end%d ", i);
    }
    end("break and continue");
    for (int i = 0; i < 2; ++i) {
        T a(1);
        {
            T b(2);
            if (i == 1) goto out;
            T c(3);
        }
        printf("next ");
    }
out:
    end("goto");
    {
        int n = 0;
    again:
        T t(n);
        if (++n < 3) goto again;
        printf("left ");
    }
    end("goto back");
    int* p = (T(1).where(), &depth);
    printf("%d ", *p); end("pointer");
    printf("%d ", T(1).self().self().n + make(2).next().next().n); end("chain");
    auto f = [](T t) { return t.next(); };
    printf("%d ", f(T(1)).n); end("lambda");
    printf("%d ", [t = T(5)] { return t.n; }()); end("capture");
    return 0;
}
