// Statics, temporaries in conditions, partly made objects, exceptions that are held.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <variant>
#include <vector>
#include <array>
#include <new>
#include <functional>
struct L { const char* n; L(const char* n) : n(n) { std::printf("+%s ", n); } ~L() { std::printf("-%s ", n); } L(const L& o) : n(o.n) { std::printf("c%s ", n); } };
struct TT { int v = 5;  };
thread_local TT tls; thread_local int tli = 3; int bump() { thread_local int c = 10; return ++c; } struct Ts { static thread_local std::string s; }; thread_local std::string Ts::s = "ts";
L g1("g1"); namespace { L g2("g2"); } struct H { static L m; }; L H::m("m"); template <class T> struct Tp { static T x; }; template <class T> T Tp<T>::x = T("tp");
int depend = g1.n[1] - '0'; int zero_first = []{ extern int later; return later; }(); int later = 7;
L& lazy() { static L l("lazy"); return l; }
struct Multi { L a{"a"}, b; std::unique_ptr<L> c; L arr[2] = {L("x"), L("y")}; Multi() : b("b"), c(new L("c")) {} Multi(int) : Multi() { throw 1; } };
struct Opt { std::optional<L> o; std::variant<std::monostate, L, std::string> v; std::tuple<L, int> t{L("t"), 1}; };
struct Cond { L l; bool ok; explicit operator bool() const { return ok; } };
Cond mk(const char* n, bool ok) { return {L(n), ok}; }
int ret(int k) { L a("ra"); for (int i = 0; i < 3; ++i) { L b("rb"); if (i == k) return i; if (k == 9) { L c("rc"); continue; } } try { L d("rd"); if (k == 5) throw k; return -1; } catch (int e) { L f("rf"); return e; } }
void swit(int k) { switch (k) { case 0: { L a("s0"); break; } case 1: L("s1"); [[fallthrough]]; default: L b("sd"); } }
struct Chain { std::string s; Chain& add(const char* x) & { s += x; return *this; } Chain&& add(const char* x) && { s += x; s += '*'; return std::move(*this); } std::string take() && { return std::move(s); } };
template <class... T> struct Many : T... { Many(T... t) : T(t)... {} }; struct B1 { L l{"b1"}; }; struct B2 { L l{"b2"}; };
struct Order { int f(const char* n, int v) { std::printf("%s ", n); return v; } };
union Raw { L l; char c[sizeof(L)]; Raw() : c{} {} ~Raw() {} };
struct Cnt { static int n; Cnt() { if (++n == 3) throw std::runtime_error("third"); } ~Cnt() { --n; } }; int Cnt::n;
struct Rethrow { ~Rethrow() { if (auto p = std::current_exception()) std::printf("current "); else std::printf("none "); std::printf("%d ", std::uncaught_exceptions()); } };
int main() {
  std::printf("main %d %d %d\n", depend, zero_first, Tp<L>::x.n[0]); std::printf("%d %d %d %d %s\n", tls.v, tli, bump(), tli + 8, Ts::s.c_str());
  lazy(); lazy(); std::printf("\n"); { Multi m; } std::printf("\n"); try { Multi m(1); } catch (int) { std::printf("caught\n"); }
  { Opt o; o.o.emplace("oe"); o.v = L("ov"); o.v = std::string("str"); o.o.reset(); } std::printf("\n");
  if (auto c = mk("c1", false)) {} else if (auto d = mk("c2", true)) { std::printf("%s%s ", c.l.n, d.l.n); } else { std::printf("no "); } std::printf("\n");
  for (int k : {0, 2, 5, 7, 9}) { std::printf("%d\n", ret(k)); } for (int k = 0; k < 3; ++k) { swit(k); std::printf("| "); } std::printf("\n");
  Chain c; c.add("a").add("b"); std::printf("%s %s\n", c.s.c_str(), Chain{}.add("x").add("y").take().c_str()); { Many<B1, B2> m{B1(), B2()}; } std::printf("\n");
  Order o; int r = o.f("1", 1) + o.f("2", 2) * o.f("3", 3); bool b = o.f("4", 0) && o.f("5", 1) || o.f("6", 1); int q = (o.f("7", 1), o.f("8", 2)) ? o.f("9", 9) : o.f("10", 10); std::printf("%d %d %d\n", r, b, q);
  { Raw w; new (&w.l) L("raw"); w.l.~L(); } std::printf("\n"); try { std::vector<Cnt> v(5); } catch (std::exception& e) { std::printf("%s %d\n", e.what(), Cnt::n - 1); } Cnt::n = 0; try { std::array<Cnt, 4> a; } catch (std::exception& e) { std::printf("%s %d\n", e.what(), Cnt::n - 1); }
  try { Rethrow r; throw 1; } catch (...) { Rethrow r; } { Rethrow r; } std::printf("\n"); std::exception_ptr ep; try { throw L("ex"); } catch (const L& l) { ep = std::current_exception(); std::printf("%s ", l.n); } std::printf("held "); ep = nullptr; std::printf("gone\n");
  auto f = [l = L("cap")] { return l.n; }; { auto g = f; std::function<const char*()> h = g; std::printf("%s ", h()); } std::printf("\n"); const L& life = [] { return L("lr"); }(); std::printf("%s\n", life.n); static L st("st"); std::atexit([] { std::printf("atexit "); });
  std::at_quick_exit([] {}); L* leak = new L("end"); delete leak; std::printf("\n");
}
