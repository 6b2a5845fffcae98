// Casts, typeid, dynamic_cast, covariance, exceptions, copies through virtual bases.
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <typeinfo>
#include <vector>
#include <cstddef>

struct Base { std::string name; explicit Base(std::string n = "base") : name(std::move(n)) {} virtual ~Base() = default; virtual Base* clone() const { return new Base(*this); } virtual Base* self() { return this; } virtual std::string what() const { return "Base:" + name; } };
struct Left : virtual Base { int l = 1; Left() : Base("left") {} Left* clone() const override { return new Left(*this); } Left* self() override { return this; } std::string what() const override { return "Left:" + name; } };
struct Right : virtual Base { int r = 2; Right() : Base("right") {} Right* self() override { return this; } };
struct Both : Left, Right { int b = 3; explicit Both(std::string n) : Base(std::move(n)) {} Both* clone() const override { return new Both(*this); } Both* self() override { return this; } std::string what() const override { return "Both:" + name + std::to_string(l + r + b); } };
struct Other { virtual ~Other() {} int o = 9; };
struct Side { long s = 77; virtual ~Side() {} virtual long side() const { return s; } };
struct Wide : Other, Both, virtual Side { Wide() : Base("wide"), Both("ignored") {} long side() const override { return s + b; } };

static int live = 0;
struct Count { int n; Count(int n) : n(n) { ++live; std::printf("  +%d\n", n); } Count(const Count& c) : n(c.n + 100) { ++live; std::printf("  copy %d\n", n); } ~Count() { --live; std::printf("  -%d\n", n); } };
struct VA { Count c{1}; virtual ~VA() { std::printf("~VA\n"); } };
struct VB { Count c{2}; ~VB() { std::printf("~VB\n"); } };
struct M1 : virtual VA, virtual VB { Count c{3}; M1(bool t) { if (t) throw std::runtime_error("M1"); } };
struct M2 : virtual VB { Count c{4}; M2(bool t) { if (t) throw std::runtime_error("M2"); } };
struct M3 : M1, M2 { Count c{5}; M3(int k) try : M1(k == 1), M2(k == 2), c(k == 3 ? throw std::runtime_error("M3") : 5) { if (k == 4) throw std::runtime_error("body"); } catch (std::exception& e) { std::printf("in try: %s\n", e.what()); } };

struct Err : virtual std::exception { int code; Err(int c) : code(c) {} const char* what() const noexcept override { return "Err"; } };
struct Io : virtual Err { Io() : Err(5) {} const char* what() const noexcept override { return "Io"; } };
struct Net : virtual Err { Net() : Err(6) {} };
struct IoNet : Io, Net { IoNet() : Err(7) {} const char* what() const noexcept override { return "IoNet"; } };

struct AV { int x = 1; AV& operator=(const AV& o) { x = o.x; std::printf("AV=\n"); return *this; } AV() = default; AV(const AV& o) : x(o.x) { std::printf("AV copy\n"); } AV(AV&& o) : x(o.x) { o.x = -1; std::printf("AV move\n"); } };
struct AL : virtual AV { std::string s = "l"; };
struct AR : virtual AV { std::string t = "r"; };
struct AD : AL, AR { std::string u = "d"; };

struct Pure { virtual int f(int) = 0; virtual ~Pure() {} protected: int k = 4; };
struct Half1 : virtual Pure { int f(int x) override { return x * k; } };
struct Half2 : virtual Pure { virtual int g(int x) { return f(x) + 1; } };
struct Full : Half1, Half2 {};

int main() {
  Both both("both");
  Base* b = &both; Left* l = &both; Right* r = &both;
  std::printf("%s %s %s\n", b->what().c_str(), l->what().c_str(), r->what().c_str());
  std::printf("%d %d %d\n", b->self() == b, static_cast<Base*>(l->self()) == b, static_cast<Base*>(r->self()) == b);
  std::printf("%s %s\n", typeid(*b).name(), typeid(*r).name());
  std::printf("%d %d %d\n", dynamic_cast<Left*>(b) == l, dynamic_cast<Right*>(l) == r, dynamic_cast<Both*>(r) == &both);
  std::printf("%d\n", dynamic_cast<void*>(b) == &both);
  std::unique_ptr<Base> c(b->clone()); std::printf("%s %s\n", c->what().c_str(), typeid(*c).name());
  std::unique_ptr<Left> cl(l->clone()); std::printf("%s\n", cl->what().c_str());
  Left only; Base* bo = &only; std::printf("%d %d %s\n", dynamic_cast<Right*>(bo) == nullptr, dynamic_cast<Both*>(bo) == nullptr, only.what().c_str());
  Wide w; Base& wb = w; std::printf("%s %ld %d\n", wb.what().c_str(), static_cast<Side&>(w).side(), w.o);
  std::printf("%d %d\n", dynamic_cast<Side*>(&wb) == static_cast<Side*>(&w), dynamic_cast<Other*>(static_cast<Side*>(&w)) == static_cast<Other*>(&w));
  try { dynamic_cast<Wide&>(*bo); } catch (std::bad_cast&) { std::printf("bad_cast\n"); }
  std::unique_ptr<Base> cw(wb.clone()); std::printf("%s\n", cw->what().c_str());
  std::string Base::*pm = &Base::name; std::printf("%s %s\n", (w.*pm).c_str(), (r->*pm).c_str());
  std::string (Base::*pf)() const = &Base::what; std::printf("%s %s\n", (w.*pf)().c_str(), (l->*pf)().c_str());
  std::printf("%zu %zu %zu %zu\n", sizeof(Left), sizeof(Both), sizeof(Wide), alignof(Wide));
  for (int k = 0; k < 5; ++k) { std::printf("k=%d\n", k); try { M3 m(k); std::printf("made\n"); } catch (std::exception& e) { std::printf("caught %s\n", e.what()); } }
  std::printf("live %d\n", live);
  try { throw IoNet(); } catch (Err& e) { std::printf("%s %d\n", e.what(), e.code); }
  try { throw IoNet(); } catch (std::exception& e) { std::printf("%s %s\n", e.what(), typeid(e).name()); }
  try { throw Io(); } catch (Net&) { std::printf("no\n"); } catch (Err e) { std::printf("%s %d\n", e.what(), e.code); }
  try { static IoNet n; throw static_cast<Net*>(&n); } catch (Err* e) { std::printf("%d\n", e->code); }
  try { throw static_cast<Net*>(nullptr); } catch (Err* e) { std::printf("%d\n", e == nullptr); }
  AD a, a2; a.x = 5; a.s = "sss"; a.t = "ttt"; a.u = "uuu"; AD a3(a); std::printf("%d %s %s %s\n", a3.x, a3.s.c_str(), a3.t.c_str(), a3.u.c_str());
  a2 = a; std::printf("%d %s %s %s\n", a2.x, a2.s.c_str(), a2.t.c_str(), a2.u.c_str());
  AD a4(std::move(a)); std::printf("%d %s %d\n", a4.x, a4.s.c_str(), a.x); AL& al = a4; AL sl(al); sl.x = 8; std::printf("%d %d\n", sl.x, a4.x); al = sl; std::printf("%d\n", a4.x);
  std::vector<AD> va(2); va[1].x = 3; va.push_back(a4); std::printf("%d %d\n", va[1].x, va[2].x);
  Full full; Half2& h2 = full; Pure& pu = full; std::printf("%d %d\n", h2.g(10), pu.f(3));
}
