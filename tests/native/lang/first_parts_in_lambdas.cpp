// std: c++20
// `switch` and `for` that first declare variables: in lambdas, in macros, one in another.
#include <cstdio>
#include <vector>
struct D { int v; D(int v) : v(v) { printf("+%d ", v); } ~D() { printf("-%d ", v); } };
int b = 2;
#define FIRST switch (int z = a; z) { case 1: return 10; default: switch (int y = z * 2, z = y + 1; z) { case 5: return y; default: return z; } }
#define EACH(x) for (int k = x; int e : {k, k + 1}) for (int k = e; int f : {k}) s += f * 10 + k
int macros(int a) { FIRST }
int loops(int n) { int s = 0; EACH(n); EACH(s); auto l = [&] { EACH(1); return s; }; return l(); }
template <class T> int tm(T t) { auto l = [&](auto u) { switch (T z = t + u; z) { case 3: return (int)z; default: { for (D d{7}; int x : {1, 2}) printf("%d.%d ", x, d.v); return (int)z + 100; } } }; switch (D d{5}; d.v) { case 5: { int r = l(1); return r + l(2L); } } return 0; }
int nested(int n) {
  switch (int w = n + b; auto f = [&](int q) { switch (int v = q + n; v) { case 4: return v + w; } return 0; }(1)) {
  case 9: return 1;
  case 0: { auto g = [=](auto q) { for (int k = n; auto m : {q, q}) { if (m + k == 6) return 7; } return 8; }; switch (int r = g(1); r) { case 7: return w + r; case 8: return g(2) * 100; } }
  }
  return -1;
}
auto g = [](int a) { switch (int z = a * 2; z) { case 4: return 1; default: return z; } };
int main() {
  printf("%d ", macros(1)); printf("%d ", macros(2)); printf("%d\n", macros(3)); printf("%d\n", loops(3));
  printf("%d ", tm(2)); printf("%d\n", tm(1L)); printf("%d ", nested(3)); printf("%d ", nested(4)); printf("%d\n", nested(5)); printf("%d %d\n", g(2), g(3));
  int q = 1; auto cap = [q](auto... a) mutable { int s = 0; for (D t(sizeof...(a)); int x : {a...}) s += x * t.v + q++; return s; }; printf("%d\n", cap(1, 2, 3)); printf("%d\n", cap(4));
  struct M { int k = 3; int run() { return [this](int a) { switch (int z = k * a; z) { case 6: return z; } return -1; }(2); } }; printf("%d\n", M().run());
  auto outer = [&](int n) { int s = 0; for (int lim = n * 2; int x : std::vector<int>{1, 2, 3}) { auto in = [&, n](int y) { switch (int w = y + n, v = w * 2 + b; v) { case 8: return w; default: return v; } }; if (x < lim) s = s * 10 + in(x); } return s; }; printf("%d ", outer(1)); printf("%d\n", outer(2));
}
