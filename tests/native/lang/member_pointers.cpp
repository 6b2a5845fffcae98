// Pointers to members: data, functions, virtual ones, through bases and second bases, compared, converted, stored, passed.
#include <cstdio>

struct A { int a = 1; virtual ~A() {} virtual int f(int n) { return 100 + n; } int g(int n) const { return a * 10 + n; } int h() { return a; } static int s(int n) { return n; } };
struct B { int b = 2, bb = 22; virtual ~B() {} virtual int f2(int n) { return 200 + n + b; } int g2(int n) { return b * 10 + n; } };
struct C : A, B { int c = 3; int f(int n) override { return 300 + n; } int f2(int n) override { return 400 + n + c; } };
struct Big { long x[4]; };
struct Ops { Big big(int n) { return Big{{n, n + 1, n + 2, n + 3}}; } void set(int& out, int n) { out = n; } int operator()(int n) { return n + 7; } };
struct Chained { int v; Chained& add(int n) { v += n; return *this; } Chained& mul(int n) { v *= n; return *this; } };
template <class T, class R, class... P> R call(T& t, R (T::*f)(P...), P... p) { return (t.*f)(p...); }
template <int A::*M> int get(const A& a) { return a.*M; }
template <class T> int sum(const T* t, int n, int T::*m) { int s = 0; for (int i = 0; i < n; ++i) s += t[i].*m; return s; }
static int (A::*table[])(int) = {&A::f, nullptr, &A::f};
struct State { void (State::*next)() = &State::first; int n = 0; void first() { ++n; next = &State::second; } void second() { n += 10; next = nullptr; } };

int main() {
    A a; B b; C c;
    int (A::*pf)(int) = &A::f; int (A::*pg)(int) const = &A::g; int (B::*pf2)(int) = &B::f2; int (B::*pg2)(int) = &B::g2;
    printf("%d %d %d %d\n", (a.*pf)(1), (a.*pg)(2), (b.*pf2)(3), (b.*pg2)(4));
    A* pa = &c; B* pb = &c;
    printf("%d %d %d %d\n", (pa->*pf)(1), (pa->*pg)(2), (pb->*pf2)(3), (pb->*pg2)(4));
    int (C::*cf)(int) = pf; int (C::*cf2)(int) = pf2; int (C::*cg2)(int) = &B::g2; int (C::*cc)(int) = &C::f2;
    printf("%d %d %d %d\n", (c.*cf)(5), (c.*cf2)(6), (c.*cg2)(7), (c.*cc)(8));
    int (B::*back)(int) = static_cast<int (B::*)(int)>(cg2);
    printf("%d %d\n", (pb->*back)(9), back == pg2);
    int A::*da = &A::a; int B::*db = &B::bb; int C::*dc = db; int C::*dca = da; int C::*none = nullptr;
    c.*dc += 5; pa->*da = 11;
    printf("%d %d %d %d %d\n", c.bb, c.*dc, c.*dca, pb->*db, none == nullptr);
    int B::*backd = static_cast<int B::*>(dc);
    printf("%d %d\n", b.*backd, backd == db);
    printf("%d %d %d %d\n", pf == &A::f, pf != nullptr, pf ? 1 : 0, !pf);
    int (A::*empty)(int) = nullptr; int (A::*zero)(int) = 0; int (C::*cempty)(int) = static_cast<int (C::*)(int)>(empty);
    printf("%d %d %d %d\n", empty == nullptr, empty == zero, cempty == nullptr, empty ? 1 : 0);
    for (auto m : table) printf("%d ", m ? (a.*m)(1) : -1);
    printf("\n");
    Ops ops; int out = 0;
    Big big = (ops.*&Ops::big)(5);
    (ops.*&Ops::set)(out, 9);
    printf("%ld %ld %d %d\n", big.x[0], big.x[3], out, (ops.*&Ops::operator())(1));
    printf("%d %d\n", call(a, &A::f, 4), call(ops, &Ops::operator(), 5));
    printf("%d\n", get<&A::a>(a));
    A as[3]; as[1].a = 5;
    printf("%d\n", sum(as, 3, &A::a));
    Chained ch{2}; Chained& (Chained::*m[])(int) = {&Chained::add, &Chained::mul};
    for (int i = 0; i < 4; ++i) (ch.*m[i % 2])(i + 1);
    printf("%d\n", ch.v);
    State s; while (s.next) (s.*s.next)();
    printf("%d\n", s.n);
    auto lambda = [&](int (A::*f)(int)) { return (c.*f)(1); };
    printf("%d %d\n", lambda(&A::f), (int)sizeof(pf));
    struct Pack { int (A::*f)(int); int A::*d; } pack = {&A::f, &A::a}, copy = pack;
    printf("%d %d\n", (c.*copy.f)(2), c.*copy.d);
    static int (*plain)(int) = &A::s;
    printf("%d\n", plain(3));
    struct Rows { int first, row[3]; struct { int x; } inner; } rows{1, {2, 3, 4}, {5}};
    int (Rows::*row)[3] = &Rows::row;
    int* start = rows.*row;
    Rows* at = &rows;
    printf("%d %d %d %d ", (rows.*row)[1], *(rows.*row), start[2], (at->*row)[0]);
    for (int x : rows.*row) printf("%d ", x);
    printf("%d\n", (int)sizeof(rows.*row));
    return 0;
}
