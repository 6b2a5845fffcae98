// lifetimes of temporaries in odd places
#include <cstdio>
#include <string>
#include <utility>
#include <memory>
#include <vector>
#include <initializer_list>
struct T { int n; T(int n) : n(n) { std::printf("+%d ", n); } T(const T& o) : n(o.n + 10) { std::printf("c%d ", n); } T(T&& o) : n(o.n + 20) { o.n = -o.n; std::printf("m%d ", n); } ~T() { std::printf("-%d ", n); } T& operator=(const T& o) { n = o.n; std::printf("="); return *this; } operator bool() const { return n > 0; } int get() const { return n; } const T& self() const { return *this; } };
T make(int n) { return T(n); }
T pass(T t) { return t; }
int use(const T& a, const T& b = T(99)) { return a.n + b.n; }
#define NL std::printf("\n")
struct Agg { const T& r; T v; };
struct Arr { T a[2]; };
struct Bits { std::initializer_list<T> l; };
T& inc(T&& t) { t.n++; return t; }
T operator,(const T& a, const T& b) { return T(a.n * 10 + b.n); }
T operator+(T a, const T& b) { a.n += b.n; return a; }
struct Holder { T t; const T& ref() const& { return t; } T ref() && { return std::move(t); } };
int main() {

  { const T& r = make(2).self(); (void)r; std::printf("body "); } NL;
  { const T& r = make(3); T&& q = make(4); std::printf("body%d%d ", r.n, q.n); } NL;

  { const int& n = make(7).n; std::printf("body%d ", n); } NL;
  { const T& t = true ? T(8) : T(9); std::printf("body%d ", t.n); } NL;
  { bool b = T(1) && T(0) || T(2); std::printf("body%d ", b); } NL;
  if (T t{11}; T(12) && t) { std::printf("in "); } else {} NL;
  while (T t = make(0)) { (void)t; } NL;
  for (T i(0); T(i.n - 1).n < 1; i.n++) { std::printf("loop "); } NL;
  switch (T s(13); make(s.n - 11).n) { case 2: std::printf("two "); break; default:; } NL;
  { T t = (T(1), T(2)); std::printf("body%d ", t.n); } NL;
  { T x = pass(pass(T(14))); std::printf("body%d ", x.n); } NL;
  { T a[] = {T(1), make(2), 3}; std::printf("body "); (void)a; } NL;
  { std::vector<T> v{T(1), T(2)}; std::printf("body "); } NL;
  for (const T& t : {T(1), T(2)}) std::printf("it%d ", t.n); NL;
  { auto l = [t = T(15)](int k) { return t.n + k; }; std::printf("%d ", l(1)); auto m = std::move(l); std::printf("%d ", m(2)); } NL;

  { std::unique_ptr<T> p(new T(16)); p.reset(new T(17)); std::printf("body "); } NL;
  { T t(18); t = T(19); t = make(20); std::printf("body%d ", t.n); } NL;
  { std::pair<T, T> p(T(21), 22); auto [a, b] = p; auto& [c, d] = p; std::printf("body%d%d%d%d ", a.n, b.n, c.n, d.n); } NL;
  { Holder h{T(23)}; const T& r = h.ref(); T s = std::move(h).ref(); std::printf("body%d%d ", r.n, s.n); } NL;
  { static const T& st = T(24); std::printf("body%d ", st.n); } NL;
  { inc(T(25)); std::printf("body "); } NL;
  { int n = T(26).get() + make(27).get() * T(28).get(); std::printf("body%d ", n); } NL;
  { T* p = new T[2]{T(29), 30}; delete[] p; } NL;
  { Arr a{{T(31), T(32)}}; Arr b = a; Arr c = std::move(b); std::printf("body%d ", c.a[1].n); } NL;
  { const T& r = static_cast<const T&>(T(33)); (void)r; std::printf("body "); } NL;
  { std::string s = std::string("a") + "b"; const char* c = (s + "c").c_str(); (void)c; const std::string& r = s + std::string("d"); std::printf("%s ", r.c_str()); } NL;
  { goto skip; } { skip: T t(34); (void)t; } NL;
  { int i = 0; again: T t(35 + i); if (i++ < 2) goto again; std::printf("done "); } NL;

  { T&& a = pass(T(36)); T b = std::move(a); std::printf("%d ", b.n); } NL;
  { (void)(T(37), 5); T(38), T(39); std::printf("body "); } NL;
  { struct L { T t = T(40); L() = default; L(int) : t(41) {} }; L a, b(1), c = a; } NL;
  { T t = [] { T r(42); return r; }(); std::printf("body%d ", t.n); } NL;
  { T t = [](bool b) { T r(43), s(44); if (b) return r; return s; }(true); std::printf("body%d ", t.n); } NL;
  return make(50).n - 50;
}
