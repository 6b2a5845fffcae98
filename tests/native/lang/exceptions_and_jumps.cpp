// Exceptions with jumps, callbacks of the C library, nested exceptions, pointers to exceptions, and a function of the program's own for the end.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <csetjmp>
#include <new>
struct T { int n; T(int n):n(n){} ~T(){ printf("~T%d ", n);} };
static int cmp(const void* a, const void* b) { if (*(int*)a == 3) throw 5; return *(int*)a - *(int*)b; }
void nested(int n) { try { if (n == 0) throw std::runtime_error("inner"); nested(n - 1); } catch (...) { std::throw_with_nested(std::logic_error("level " + std::to_string(n))); } }
void show(const std::exception& e, int d = 0) { printf("%d %s\n", d, e.what()); try { std::rethrow_if_nested(e); } catch (const std::exception& n) { show(n, d + 1); } }
struct W { ~W() { try { throw 1; } catch (int i) { printf("W%d ", i); } } };
int jumps(int n) { for (int i = 0; i < 3; ++i) { try { T t(i); if (i == n) goto out; throw i; } catch (int e) { T u(10 + e); if (e == n - 1) goto out; } } return 0; out: return n + 100; }
T ret(int n) { T r(7); try { if (n) throw n; } catch (int e) { r.n = e; return r; } return r; }
int fin(int n) { try { T t(1); if (n == 1) return 1; try { if (n == 2) throw 2; return 3; } catch (int) { T u(2); return 4; } } catch (...) { return 5; } }
void many() noexcept(false) { throw 12; }
int main() {
  int a[] = {5, 3, 1, 4};
  try { T t(1); qsort(a, 4, sizeof(int), cmp); } catch (int i) { printf("caught %d\n", i); }
  try { nested(2); } catch (const std::exception& e) { show(e); }
  try { W w; throw 2; } catch (int i) { printf("outer %d\n", i); }
  for (int n = 0; n < 5; ++n) printf("jumps %d\n", jumps(n));
  for (int n = 0; n < 2; ++n) { T t = ret(n); printf("ret %d\n", t.n); }
  for (int n = 0; n < 4; ++n) printf("fin %d\n", fin(n));
  try { many(); } catch (int i) { printf("%d\n", i); }
  auto f = [](int n) noexcept(false) { if (n) throw n; return n; };
  try { f(0); f(9); } catch (int i) { printf("lambda %d\n", i); }
  try { throw std::make_exception_ptr(3); } catch (std::exception_ptr p) { try { std::rethrow_exception(p); } catch (int i) { printf("ptr %d\n", i); } }
  try { try { throw 1; } catch (...) { auto p = std::current_exception(); std::rethrow_exception(p); } } catch (int i) { printf("again %d\n", i); }
  std::set_terminate([] { printf("terminating "); try { throw; } catch (int i) { printf("with %d\n", i); } fflush(stdout); _Exit(3); });
  throw 77;
}
