// std: c++20
// Aggregates made with parentheses that come from macros, go over spliced lines or leave members out.
#include <cstdio>
#include <string>

int calls = 0;
int count()
{
    return ++calls;
}

struct Base {
    int b = 7;
};
struct A {
    int a;
    std::string s = "def";
    double d = 2.5;
    const char* p = "x";
    int n;
};
struct Numbers {
    int a;
    int b = 5;
    double d{1.5};
    bool last;
};
struct Derived : Base {
    int k = 3;
    int l = 0;
};
struct Counts {
    int a;
    std::string s{"counts"};
    int c = count();
};
template <class T>
struct Held {
    T t;
    T other = T(4);
};

#define SAME(...) __VA_ARGS__
#define SHORT A(1)
#define LONG A(1, "long", double(), nullptr, int())
#define TWO (2, int())
#define LIST (2, "list")
#define OPEN (
#define CLOSE )

void show(const char* what, const A& a)
{
    std::printf("%s: %d %s %g %s %d\n", what, a.a, a.s.c_str(), a.d, a.p ? a.p : "none", a.n);
}
void show(const char* what, const Numbers& x)
{
    std::printf("%s: %d %d %g %d\n", what, x.a, x.b, x.d, x.last);
}
template <class T, class... U>
T make(U... u)
{
    return SAME(T(u...));
}

struct Member {
    A a;
    Numbers n;
    Member() : a LIST, n(SAME(1)) {}
};
A global = SHORT;

int main()
{
    show("short", SHORT);
    show("long", LONG);
    show("in an argument", SAME(A(3)));
    show("a macro in an argument", SAME(SHORT));
    A list LIST;
    show("the list alone", list);
    A brackets OPEN 3, "brackets" CLOSE;
    show("brackets", brackets);
    A spliced(4\
);
    show("spliced", spliced);
    A twice(4, "twice"\
\
);
    show("spliced twice", twice);
    show("global", global);
    show("zero or default", Numbers TWO);
    show("zero or default in an argument", SAME(Numbers(2, int(), double())));
    show("defaults", SAME(Numbers(2)));
    Numbers spliced_numbers(2, int()\
);
    show("spliced numbers", spliced_numbers);
    show("made", make<Numbers>(1));
    show("made of two", make<Numbers>(1, 0));
    show("made of none", make<Numbers>());
    Member m;
    show("member", m.a);
    show("member", m.n);
    A* p = new SAME(A(8));
    show("new", *p);
    delete p;
    Derived d(SAME(Base(1)), 2);
    std::printf("%d %d %d\n", d.b, d.k, d.l);
    Counts c(1), e SAME((2, "given"));
    std::printf("%d %d %s, %d calls\n", c.c, e.c, e.s.c_str(), calls);
    Held<int> h(1);
    Held<double> g SAME((1.5));
    std::printf("%d %d %g %g\n", h.t, h.other, g.t, g.other);
    int numbers[4] SAME((1, 2));
    std::printf("%d %d %d\n", numbers[0], numbers[1], numbers[3]);
}
