// `noexcept` with an expression.
#include <cstdio>
#include <exception>
#include <cstdlib>
template <class T> void f(T) noexcept(sizeof(T) == 1) { throw 5; }
constexpr bool no = false, yes = true;
void g() noexcept(no) { throw 6; }
void h() noexcept(yes && sizeof(int) == 4) { throw 7; }
struct S { void m() noexcept(noexcept(g())) { throw 8; } ~S() noexcept(false) { } };
int main() {
  std::set_terminate([] { printf("terminate\n"); exit(0); });
  try { f(1); } catch (int n) { printf("%d\n", n); }
  try { g(); } catch (int n) { printf("%d\n", n); }
  try { S s; s.m(); } catch (int n) { printf("%d\n", n); }
  try { h(); } catch (int n) { printf("%d\n", n); }
}
