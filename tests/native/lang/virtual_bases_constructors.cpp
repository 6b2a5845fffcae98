// Virtual bases and constructors of every kind: delegating, inherited, defaulted, templates, value-initialisation.
#include <cstdio>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <vector>
struct V { int v; V(int v = 1) : v(v) { std::printf("V(%d) ", v); } V(const V& o) : v(o.v + 1000) { std::printf("V copy "); } ~V() { std::printf("~V(%d)\n", v); } };
struct A : virtual V { int a; A() : A(11) { std::printf("A() "); } explicit A(int x) : V(2), a(x) { std::printf("A(%d,%d) ", a, v); } };
struct D : A { int d; D() : D(5) { std::printf("D() "); } D(int n) : V(n), A(n * 2), d(n) {} D(const char* s) : D() { std::printf("%s ", s); } };
struct Inh : A { using A::A; int extra = v * 10; };
struct InhV : virtual V { using V::V; int x = 3; };
struct InhD : InhV { using InhV::InhV; InhD(int a, int b) : V(a), InhV(b) {} };
struct Uses : virtual V { int first = v + 1; std::function<int()> get = [this] { return v; }; Uses() : V(6) {} };
struct Two : Uses { int s; Two() : V(8), s(first + get()) {} };
struct Early : virtual V { int e; Early(int k) : e(k) {} };
struct Mid : virtual V { int m = 0; int level() const { return v; } };
struct Late : Mid, Early { Late() : V(3), Early(this->level() + this->v + v) {} };
struct Abstract : virtual V { virtual int f() = 0; Abstract() : V(99) {} };
struct NoDef { int n; explicit NoDef(int n) : n(n) {} NoDef() = delete; };
struct Abs2 : virtual NoDef { virtual int g() = 0; protected: Abs2() : NoDef(0) {} };
struct Conc : Abstract, Abs2 { Conc() : V(4), NoDef(12) {} int f() override { return v; } int g() override { return n; } };
struct Plain : virtual V { int p, q; };
struct Zero : Plain { int z; Zero() : V(7), Plain(), z(1) {} };
template <class T> struct Tmpl : virtual T { T* up() { return this; } template <class U> Tmpl(U u) : T(u) {} };
template <class Derived> struct Crtp : virtual V { int call() { return static_cast<Derived*>(0) == nullptr ? dyn() : 0; } virtual int dyn() { return v; } };
struct CrtpD : Crtp<CrtpD> { CrtpD() : V(21) {} int dyn() override { return -v; } };
struct Args : virtual V { std::string s; Args(std::string s, int n) : V(n), s(std::move(s)) {} };
struct Args2 : Args { template <class... T> Args2(T&&... t) : V(50), Args(std::forward<T>(t)...) {} };
struct Big : virtual V { alignas(64) char buf[64]; Big() { buf[0] = 'x'; } };
struct Derv : virtual V { Derv(int) {} };
struct TryV : Derv { TryV() try : V((throw 3, 1)), Derv(1) {} catch (int n) { std::printf("caught %d\n", n); } };
static A sa(77); static A* sp = new A(78); static Zero tz;
union U { A a; int i; U() : i(0) {} ~U() {} };
int main() {
  { A a; } { D d; } { D d("text"); } { Inh i(5); std::printf("%d %d ", i.extra, i.a); } { InhV i(9); std::printf("%d ", i.v); } { InhD i(4); std::printf("%d ", i.v); } { InhD i(6, 7); std::printf("%d ", i.v); }
  { Two t; std::printf("%d ", t.s); } { Late l; std::printf("%d ", l.e); } { Conc c; Abstract& a = c; Abs2& b = c; std::printf("%d %d ", a.f(), b.g()); }
  { Zero z; std::printf("%d %d %d %d ", z.v, z.p, z.q, z.z); } { Plain p = Plain(); std::printf("%d %d ", p.p, p.v); } { Plain p{}; std::printf("%d ", p.q); }
  { Tmpl<V> t(3); std::printf("%d ", t.up()->v); } { CrtpD c; V& v = c; Crtp<CrtpD>& r = c; std::printf("%d %d ", r.call(), v.v); }
  { Args2 a("str", 4); std::printf("%s %d ", a.s.c_str(), a.v); } { Big b; std::printf("%d %zu ", int((size_t)&b.buf % 64), sizeof(Big)); } { try { TryV t; } catch (int) { std::printf("again\n"); } }
  { A* arr = new A[2]; arr[1].v = 5; delete[] arr; } { std::vector<D> v; v.reserve(4); v.emplace_back(1); v.emplace_back(2); v.erase(v.begin()); std::printf("%d ", v[0].d); }
  { alignas(D) char mem[sizeof(D)]; D* d = new (mem) D(3); V* v = d; v->v = 4; std::printf("%d ", d->v); d->~D(); }
  { auto p = std::make_shared<Conc>(); std::shared_ptr<V> q = p; std::shared_ptr<Abs2> r = p; std::printf("%d %d ", q->v, r->g()); }
  { U u; new (&u.a) A(1); u.a.v = 9; u.a.~A(); } { D d; D e = d; A a = e; a = d; std::printf("%d %d ", a.v, e.v); }
  { const A& r = D(8); std::printf("%d ", r.v); } { auto f = [d = D(1)]() mutable { d.v++; return d.v + d.a; }; std::printf("%d ", f()); }
  std::printf("%d\n", tz.v + sa.v + sp->v);
  delete sp;
}
