// Members that lists leave out: bases, arrays, bit-fields, pointers to the object, templates.
#include <cstdio>
#include <cstring>
#include <utility>
#include <string>
#include <vector>
#include <initializer_list>
static int n = 0; int next() { return ++n; }
// aggregates with bases, nested arrays, references, default members from functions
struct B1 { int a = next(); int b; }; struct B2 { int c; int d = next(); };
struct D : B1, B2 { int e = next(); int f; const int &r = e; };
struct Arr { int v[2][3] = {{1}, {2, 3}}; char s[8] = "hi"; int t[3]; };
struct Bits { unsigned a : 3 = 5; int b : 4; unsigned : 0; unsigned c : 5 = 17; long long d : 40 = -3; };
enum class Col { R = 4, G }; struct En { Col c = Col::G; Col d; bool e = true; void (*f)() = nullptr; int En::*p = nullptr; };
struct Str { std::string s = "abc"; std::vector<int> v{1, 2}; std::pair<int, Str *> q{4, this}; };
struct Cst { const int k = next(); const char *const name = "nm"; static constexpr int z = 9; int arr[z] = {z}; };
template <class T, int N = 3> struct Tp { T a[N] = {T(1)}; T b = a[0] + N; struct I { T q = T(N); } i; };
struct Nest { struct { int x = 3; int y; } in; union { char c[4]; int i = 0x01020304; } u; int *p = &in.x; };
struct Exp { int a; explicit Exp(int k = 7) : a(k) {} }; struct HasExp { Exp e; int z = e.a + 1; Exp f{2}; };
struct Conv { int v; operator int() const { return v; } }; struct FromConv { int a = Conv{5}; double d = Conv{6}; bool b = Conv{0}; };
struct Self { int a = 1, b = a + 1, c = b * a + b; }; struct Late { int b = a2() ; int a = 3; int a2() { return 8; } };
D d{}; Arr ar; Bits bi; Tp<short> tp; Nest ne;
int main() {
  printf("%d %d %d %d %d %d %d\n", d.a, d.b, d.c, d.d, d.e, d.f, d.r);
  D d2{{5}, {6}, 7}; printf("%d %d %d %d %d %d %d %d\n", d2.a, d2.b, d2.c, d2.d, d2.e, d2.f, d2.r, n);
  D d3{{}, {6, 9}}; d3.e = 40; printf("%d %d %d %d %d\n", d3.a, d3.b, d3.d, d3.e, d3.r);
  Arr a{}; Arr b{{{9}}}; printf("%d %d %s %d %d %d %s\n", a.v[1][1], a.v[1][2], a.s, a.t[2], b.v[0][0], b.v[1][1], b.s); printf("%d %s\n", ar.v[1][0], ar.s);
  Bits x{}; Bits y{1}; printf("%d %d %d %d %d %d\n", x.a, x.b, x.c, (int)x.d, y.a, y.c); printf("%d %d\n", bi.a, (int)bi.d);
  En e{}; printf("%d %d %d %d %d\n", (int)e.c, (int)e.d, e.e, e.f == nullptr, e.p == nullptr);
  Str s; Str s2{"q"}; printf("%s %d %d %s %d\n", s.s.c_str(), (int)s.v.size(), s.q.second == &s, s2.s.c_str(), s2.q.second == &s2);
  Cst c; Cst c2{50}; printf("%d %s %d %d\n", c.k, c.name, c.arr[0], c2.k);
  Tp<double> t{}; Tp<int, 2> t2{{4, 5}}; printf("%g %g %d %d %d\n", t.b, t.i.q, t2.b, t2.i.q, tp.b);
  Nest m{}; printf("%d %d %d %d\n", m.in.x, m.in.y, m.u.i, *m.p == m.in.x); printf("%d\n", *ne.p);
  HasExp h; HasExp h2{Exp(5)}; printf("%d %d %d\n", h.z, h2.z, h2.f.a);
  FromConv f{}; printf("%d %g %d\n", f.a, f.d, f.b); Self sf{3}; Self sg{}; Late l{}; printf("%d %d %d %d %d\n", sf.b, sf.c, sg.c, l.b, l.a);
  Self arr[3] = {{2}, {3, 4}}; printf("%d %d %d\n", arr[0].c, arr[1].c, arr[2].c); auto *p = new Self[2]; printf("%d\n", p[1].c); delete[] p; Self *q = new Self{4}; printf("%d\n", q->c); delete q;
  auto lam = [sf = Self{9}, k = Nest{}] { return sf.b + k.u.i; }; printf("%d\n", lam());
  std::vector<Self> vs(2); std::vector<Self> vi{{1}, {2}}; printf("%d %d\n", vs[1].c, vi[1].c); 
}
