// Construction, destruction, copies and moves in every order that a scope can have.
#include <cstdio>
#include <utility>

struct Loud {
    static int next;
    int id;
    const char* name;
    explicit Loud(const char* n) : id(next++), name(n) { std::printf("+%s%d ", name, id); }
    Loud(const Loud& o) : id(next++), name(o.name) { std::printf("c%s%d<%d ", name, id, o.id); }
    Loud(Loud&& o) noexcept : id(next++), name(o.name) { std::printf("m%s%d<%d ", name, id, o.id); }
    Loud& operator=(const Loud& o) { std::printf("=%s%d<%d ", name, id, o.id); return *this; }
    Loud& operator=(Loud&& o) noexcept { std::printf("~=%s%d<%d ", name, id, o.id); return *this; }
    ~Loud() { std::printf("-%s%d ", name, id); }
};
int Loud::next = 0;

struct Pair {
    Loud a{"a"};
    Loud b;
    Pair() : b("b") {}
};

struct Derived : Pair {
    Loud c{"c"};
    Loud many[2] = {Loud("x"), Loud("y")};
    ~Derived() { std::printf("~Derived "); }
};

Loud make(const char* n) { return Loud(n); }
Loud pass(Loud l) { return l; }

int use(const Loud& l) { return l.id; }

int loop()
{
    int sum = 0;
    for (int i = 0; i < 4; i++) {
        Loud l("l");
        if (i == 1) continue;
        if (i == 3) break;
        sum += l.id;
    }
    return sum;
}

int main()
{
    { Derived d; std::puts(""); Derived e = d; std::puts(""); Derived f(std::move(e)); std::puts(""); d = f; std::puts(""); }
    std::puts("");
    { Loud m = make("r"); Loud n = pass(m); n = make("s"); m = n; }
    std::puts("");
    { const Loud& kept = make("k"); std::printf("%d ", use(make("t")) + use(kept)); }
    std::puts("");
    std::printf("%d\n", loop());
    { Loud* p = new Loud("p"); Loud* q = new Loud[2]{Loud("q"), Loud("u")}; delete p; delete[] q; }
    std::puts("");
    return Loud::next;
}
