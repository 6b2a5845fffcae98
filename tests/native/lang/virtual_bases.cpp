// Virtual bases: who makes and destroys what, in which order.
#include <cstdio>
#include <string>
struct Log { const char* n; Log(const char* n) : n(n) { std::printf("+%s\n", n); } ~Log() { std::printf("-%s\n", n); } };
struct V { int v; Log l; V(int v = 7) : v(v), l("V") { std::printf("V(%d)\n", v); } virtual ~V() { std::printf("~V %d\n", v); } virtual const char* who() const { return "V"; } virtual int id() { return 1; } };
struct A : virtual V { int a; Log l; A() : V(1), a(10), l("A") { std::printf("A sees %s v=%d\n", who(), v); } ~A() override { std::printf("~A %s\n", who()); } const char* who() const override { return "A"; } };
struct B : virtual V { int b; Log l; B() : V(2), b(20), l("B") { std::printf("B sees %s v=%d\n", who(), v); } ~B() override { std::printf("~B %s\n", who()); } int id() override { return 2; } };
struct D : A, B { int d; Log l; D() : V(3), d(30), l("D") { std::printf("D sees %s v=%d id=%d\n", who(), v, id()); } ~D() override { std::printf("~D %s\n", who()); } const char* who() const override { return "D"; } };
struct E : D { E() : V(4) { std::printf("E %s %d\n", who(), v); } ~E() { std::printf("~E\n"); } };
struct W { W() { std::printf("W\n"); } ~W() { std::printf("~W\n"); } int w = 5; };
struct F : virtual W, E { F() { std::printf("F %d %d\n", w, v); } ~F() { std::printf("~F %d\n", w); } };
template <class T> void show(const char* n) { std::printf("%s: %zu %zu\n", n, sizeof(T), alignof(T)); }
int main() {
  show<V>("V"); show<A>("A"); show<B>("B"); show<D>("D"); show<E>("E"); show<F>("F");
  { A a; std::printf("-- a %d %d\n", a.a, a.v); }
  { D d; std::printf("-- d %d %d %d %d\n", d.a, d.b, d.d, d.v); V& v = d; A& a = d; B& b = d; std::printf("%s %s %s %d %d %d\n", v.who(), a.who(), b.who(), v.id(), a.id(), b.id()); a.v = 99; std::printf("%d %d\n", b.v, v.v); }
  { E e; B* b = &e; V* v = b; std::printf("%d %d\n", v->v, (int)(v == static_cast<V*>(static_cast<A*>(&e)))); }
  { F f; }
  V* p = new F; std::printf("%s %d\n", p->who(), p->id()); delete p;
  B* q = new D; delete q;
  B* null = nullptr; V* nv = null; std::printf("%d\n", nv == nullptr);
}
