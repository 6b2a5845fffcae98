// Lifetimes of the arrays behind initialiser lists.
#include <cstdio>
#include <initializer_list>
#include <vector>
#include <string>
struct T { int n; T(int n) : n(n) { std::printf("+%d ", n); } T(const T& o) : n(o.n + 10) { std::printf("c%d ", n); } ~T() { std::printf("-%d ", n); } };
struct Bits { std::initializer_list<T> l; const T& r; };
struct Thr { int n; Thr(int n) : n(n) { if (n > 2) throw n; std::printf("+%d ", n); } ~Thr() { std::printf("-%d ", n); } };
std::initializer_list<T> gl = {T(1), T(2)};
const std::initializer_list<T>& gr = {T(3)};
Bits gb{{T(4)}, T(5)};
int sum(std::initializer_list<T> l) { int s = 0; for (auto& t : l) s += t.n; return s; }
int twice() { static std::initializer_list<T> sl{T(6), T(7)}; return sum(sl); }
#define NL std::printf("\n")
int main() { NL;
  { std::initializer_list<T> l = {T(1), T(2)}; std::printf("body%zu ", l.size()); } NL;
  { auto l = {T(1), T(2)}; std::printf("body%d ", l.begin()[1].n); } NL;
  { std::initializer_list<T> l{T(1)}; std::printf("body "); (void)l; } NL;
  { const std::initializer_list<T>& r = {T(1), T(2)}; std::printf("body%zu ", r.size()); } NL;
  { Bits b{{T(1), T(2)}, T(3)}; std::printf("body%zu%d ", b.l.size(), b.r.n); } NL;
  { const std::vector<T>& v = {T(1)}; std::printf("body%zu ", v.size()); } NL;
  { std::vector<T> v = {T(1), 2}; std::printf("body%zu ", v.size()); } NL;
  for (int x : {3, 1, 2}) std::printf("%d ", x); NL;
  for (auto& t : {T(1), T(2)}) { if (t.n == 2) break; std::printf("it "); } NL;
  for (auto t : std::vector<T>{T(1)}) std::printf("it%d ", t.n); NL;
  std::printf("%d ", sum({T(1), 2, T(3)})); NL;
  try { std::initializer_list<Thr> l = {1, 2, 3}; (void)l; } catch (int n) { std::printf("caught%d", n); } NL;
  try { for (auto& t : {Thr(1), Thr(5)}) (void)t; } catch (int n) { std::printf("caught%d", n); } NL;
  try { Thr a[] = {1, 2, 4}; (void)a; } catch (int n) { std::printf("caught%d", n); } NL;
  std::printf("%d %d %zu %zu %d %zu %d", twice(), twice(), gl.size(), gr.size(), gr.begin()->n, gb.l.size(), gb.r.n); NL;
  for (int i = 0; i < 2; ++i) { std::initializer_list<std::string> s = {std::string("a") + char('0' + i), "b"}; for (auto& x : s) std::printf("%s ", x.c_str()); } NL;
}
