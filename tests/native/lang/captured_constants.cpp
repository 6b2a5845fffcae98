// Constants that closures hold, or need not hold.
#include <cstdio>
struct P { int x; int y; constexpr int s() const { return x + y; } };
int order() { const double dd = 2.5; constexpr double de = 3.5; auto l = [=] { return int(de) * 10 + int(dd); }; auto m = [=] { return int(dd) * 10 + int(de); }; return l() * 100 + m(); }
int odr() { const int c = 4; constexpr int d = 5; const int r = c + int(c != 4); auto l = [=] { const int *p = &c; return *p; }; auto m = [=] { const int &q = d; return q; }; auto n = [=](auto k) { return k + c + d; }; auto o = [&](auto k) { return k * c - d + r; }; return l() * 1000 + m() * 100 + n(1) + o(2); }
int cls() { constexpr P p{1, 2}; const P q{3, 4}; constexpr int arr[3] = {7, 8, 9}; auto l = [=] { return p.x; }; auto m = [=] { return p.s() + q.y; }; auto n = [=](int i) { return arr[i] + arr[0]; }; auto o = [&] { return arr[1] + p.y; }; return l() * 1000 + m() * 100 + n(2) + o(); }
template <class T> int tmpl(T t) { constexpr T k = 3; const T u = t; auto l = [=] { return k + u; }; auto m = [=](auto z) { return z + k + u; }; auto n = [=] { if constexpr (sizeof(T) == 4) return u; else return k; }; return l() + m(1) + n(); }
int main() { printf("%d %d %d %d %d\n", order(), odr(), cls(), tmpl(4), (int)tmpl(4L)); }
