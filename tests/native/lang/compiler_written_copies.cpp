// Copies and assignments that the compiler writes: qualifiers, mutable members, templates, default arguments, parameters by value.
#include <cstdio>
#include <utility>
#include <string>
struct A { A() {} A(A &) { puts("A(A&)"); } A(const A &) { puts("A(const A&)"); } A(A &&) { puts("A(A&&)"); } A &operator=(const A &) { puts("=const A&"); return *this; } A &operator=(A &&) { puts("=A&&"); return *this; } };
struct N { A a; ~N() {} };                       // no implicit move
struct X { N n; mutable A m; const A c; };
struct Y { N n; mutable A m; };
struct Cap { A a; auto c() const { return [*this] { return 1; }; } auto m() { return [*this] { return 2; }; } };
struct Base { A a; virtual ~Base() = default; Base() = default; Base(const Base &) = default; Base(Base &&) = default; Base &operator=(const Base &) = default; Base &operator=(Base &&) = default; };
struct Der : Base { A b[2]; };
struct Str { std::string s; Str(std::string s) : s(s) {} Str(const Str &o, std::string w = std::string(40, 'w')) : s(o.s + w) {} };
struct HasStr { Str s[2] = {Str("a"), Str("b")}; Str t{"t"}; };
struct Tm { template <class T> Tm(T &) { puts("Tm(T&)"); } Tm() {} Tm(const Tm &) = default; template <class T> Tm &operator=(T &) { puts("Tm=T&"); return *this; } Tm &operator=(const Tm &) = default; };
struct HasTm { mutable Tm t; int k = 4; };
struct HasTm2 { HasTm h; };
struct ByVal { int v = 1; ByVal &operator=(ByVal o) { printf("by value %d\n", o.v); v = o.v; return *this; } ByVal() {} ByVal(const ByVal &o) : v(o.v) { puts("BV copy"); } ByVal(ByVal &&o) : v(o.v) { puts("BV move"); } ~ByVal() { puts("~BV"); } };
struct HasBV { ByVal b[2]; ByVal c; };
struct RefQ { RefQ &operator=(const RefQ &) & { puts("= &"); return *this; } RefQ &operator=(const RefQ &) && { puts("= &&"); return *this; } }; struct HasRQ { RefQ r; };
struct Vol { Vol() {} Vol(const volatile Vol &) { puts("cv"); } Vol(const Vol &) { puts("c"); } }; struct HasVol { Vol v; };
struct Expl { Expl() {} explicit Expl(const Expl &) { puts("explicit copy"); } }; struct HasExpl { Expl e; };
struct Un { union { int i; float f; }; A a; };
struct Anon { struct { int in; int q; }; A a; };
template <class T> struct Tpl { T t; Tpl() {} Tpl(const Tpl &) = default; Tpl(Tpl &&) = default; template <class U> Tpl(const Tpl<U> &) { puts("conv"); } Tpl &operator=(const Tpl &) = default; };
int main() {
  X x; puts("-x"); X x2(x); puts("-x mv"); X x3(std::move(x)); Y y; puts("-y"); Y y2(std::move(y)); y2 = y; y2 = std::move(y);
  puts("-cap"); Cap c; const Cap cc; c.c()(); c.m()(); cc.c()();
  puts("-der"); Der d; Der d2(d); d2 = d; Der d3(std::move(d)); d3 = std::move(d2); Base b(d); b = d; Base &rb = d; rb = d2;
  puts("-str"); HasStr h; HasStr h2(h); printf("%s %s %s\n", h2.s[0].s.c_str(), h2.s[1].s.c_str(), h2.t.s.c_str()); HasStr h3(h2); printf("%zu\n", h3.t.s.size());
  puts("-tm"); HasTm t; HasTm t2(t); HasTm2 u; HasTm2 u2(u); u2 = u; printf("%d\n", u2.h.k);
  puts("-bv"); { HasBV v; HasBV w; w = v; puts("."); w = std::move(v); }
  puts("-rq"); HasRQ r, r2; r2 = r; HasVol vv; HasVol v2(vv); HasExpl e; HasExpl e2(e);
  puts("-un"); Un un; un.i = 4; Un un2(un); printf("%d\n", un2.i); Anon an; an.q = 3; Anon an2(std::move(an)); printf("%d\n", an2.q);
  puts("-tpl"); Tpl<A> ta; Tpl<A> tb(ta); tb = ta; Tpl<A> tc(std::move(ta)); Tpl<int> ti; Tpl<A> td(ti);
  A arr[2]; auto [p, q] = arr; const A carr[2]; auto [p2, q2] = carr; auto cap = [arr] {}; auto cap2 = [carr] {}; auto cap3 = cap; auto cap4 = std::move(cap2);
  try { throw Der(); } catch (Base bb) { puts("caught"); }
  return 0;
}
