// exceptions of every kind
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>
#include <functional>
#include <typeinfo>
#include <new>
struct R { const char* n; R(const char* n) : n(n) { std::printf("+%s ", n); } ~R() { std::printf("-%s ", n); } };
struct F1 { R r{"f1"}; int x; F1(int k) try : x(k ? throw k : 0) { std::printf("body "); if (k == 0) throw 'c'; } catch (int i) { std::printf("int%d ", i); throw std::string("from int"); } catch (char) { std::printf("char "); } };
struct Fd { R r{"fd"}; ~Fd() noexcept(false) try { throw 7; } catch (int i) { std::printf("dtor%d ", i); return; } };
void ftry(int n) try { R a("a"); if (n) throw n; std::printf("fine "); } catch (int k) { R b("b"); std::printf("k%d ", k); if (k > 1) throw; }
int rtry(int n) try { if (n) throw 1; return 5; } catch (...) { return 6; }
struct Base : std::runtime_error { using runtime_error::runtime_error; }; struct Derived : Base { int c; Derived(int c) : Base("derived"), c(c) {} };
void nest(int d) { R r("n"); try { if (d == 0) throw std::out_of_range("deep"); nest(d - 1); } catch (...) { std::throw_with_nested(std::logic_error("level" + std::to_string(d))); } }
void unwind(const std::exception& e, int i = 0) { std::printf("%*s%s\n", i, "", e.what()); try { std::rethrow_if_nested(e); } catch (const std::exception& n) { unwind(n, i + 1); } catch (...) { std::printf("?\n"); } }
std::exception_ptr keep() { try { throw Derived(42); } catch (...) { return std::current_exception(); } }
struct Once { static int tries; Once() { if (++tries < 3) throw tries; } }; int Once::tries;
Once& once() { static Once o; return o; }
int fib(int n) { static int calls = 0; ++calls; return n < 2 ? n : fib(n - 1) + fib(n - 2) + 0 * calls; }
struct Guard { ~Guard() { std::printf("unc%d ", std::uncaught_exceptions()); try { throw 1; } catch (int) { std::printf("in%d ", std::uncaught_exceptions()); } } };
struct Cp { static int copies; Cp() {} Cp(const Cp&) { ++copies; } }; int Cp::copies;
void spec() noexcept(false) { throw Cp(); }
int lam() { auto f = [](auto x) -> int { try { throw x; } catch (int i) { return i; } catch (double d) { return int(d * 10); } catch (const char* s) { return s[0]; } }; return f(3) + f(2.5) + f("A"); }
int main() {
  try { F1 f(3); } catch (std::string& s) { std::printf("%s\n", s.c_str()); } try { F1 f(0); } catch (char c) { std::printf("rethrown %c\n", c); }
  { Fd f; } std::printf("\n"); ftry(0); ftry(1); try { ftry(2); } catch (int k) { std::printf("outer%d\n", k); } std::printf("%d%d\n", rtry(0), rtry(1));
  try { throw Derived(5); } catch (Base& b) { std::printf("%s %d\n", b.what(), dynamic_cast<Derived&>(b).c); }
  try { try { throw Derived(6); } catch (Base& b) { throw; } } catch (Derived& d) { std::printf("%d\n", d.c); }
  try { try { throw Derived(6); } catch (Base& b) { throw b; } } catch (Derived& d) { std::printf("no\n"); } catch (Base& b) { std::printf("sliced\n"); }
  try { nest(2); } catch (std::exception& e) { std::printf("\n"); unwind(e); }
  auto p = keep(); for (int i = 0; i < 2; ++i) try { std::rethrow_exception(p); } catch (Derived& d) { std::printf("%d ", d.c++); } std::printf("\n");
  for (int i = 0; i < 4; ++i) try { once(); std::printf("made "); } catch (int t) { std::printf("try%d ", t); } std::printf("%d\n", fib(10));
  try { Guard g; throw 1; } catch (...) {} { Guard g; } std::printf("\n");
  try { spec(); } catch (Cp c) { std::printf("%d\n", Cp::copies > 0); } std::printf("%d\n", lam());
  try { std::function<void()> f; f(); } catch (std::bad_function_call& e) { std::printf("%s\n", e.what()); }
  try { throw static_cast<const void*>("x"); } catch (void*) { std::printf("no\n"); } catch (const void* v) { std::printf("%s\n", (const char*)v); }
  try { int arr[2] = {1, 2}; throw arr; } catch (int* a) { std::printf("ptr\n"); } try { throw nullptr; } catch (Base* b) { std::printf("%d\n", b == nullptr); }
  for (int i = 0; i < 3; ++i) { try { R r("loop"); if (i == 1) continue; if (i == 2) break; throw i; } catch (int) { std::printf("c "); continue; } std::printf("never "); } std::printf("\n");
  try { [] () noexcept(false) { R a("x"); struct S { R b{"y"}; S() { throw 1.5f; } } s; }(); } catch (float f) { std::printf("%g\n", f); }
  std::set_terminate([] { std::printf("terminate: "); if (auto e = std::current_exception()) try { std::rethrow_exception(e); } catch (std::exception& x) { std::printf("%s\n", x.what()); } std::fflush(stdout); std::_Exit(3); });
  struct Bad { ~Bad() { throw std::runtime_error("second"); } };
  try { Bad b; throw 1; } catch (int) { std::printf("no\n"); }
}
