// Clones, matrices, operators of every kind, proxies, owners, functions in tables.
#include <cstdio>
#include <cstdarg>
#include <cstring>
#include <functional>
#include <iostream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <typeindex>
#include <typeinfo>
#include <unordered_map>
#include <utility>
#include <vector>
struct Shape { virtual double area() const = 0; virtual std::unique_ptr<Shape> clone() const = 0; virtual ~Shape() = default; template <class V> void accept(V& v) const; };
double Shape::area() const { return -1; }
template <class D> struct Cloner : Shape { std::unique_ptr<Shape> clone() const override { return std::make_unique<D>(static_cast<const D&>(*this)); } };
struct Sq final : Cloner<Sq> { double s; explicit Sq(double s) : s(s) {} double area() const override { return s * s + 0 * Shape::area(); } }; struct Ci : Cloner<Ci> { double r = 2; double area() const override { return 3 * r * r; } };
struct Matrix { std::vector<double> d; int n; Matrix(int n) : d(n * n), n(n) {} struct Row { double* p; double& operator[](int j) { return p[j]; } }; Row operator[](int i) { return {&d[i * n]}; } double& operator()(int i, int j) { return d[i * n + j]; } double operator()(int i, int j) const { return d[i * n + j]; } friend Matrix operator*(const Matrix& a, const Matrix& b) { Matrix c(a.n); for (int i = 0; i < a.n; ++i) for (int j = 0; j < a.n; ++j) for (int k = 0; k < a.n; ++k) c(i, j) += a(i, k) * b(k, j); return c; } Matrix& operator+=(const Matrix& o) { for (size_t i = 0; i < d.size(); ++i) d[i] += o.d[i]; return *this; } friend Matrix operator+(Matrix a, const Matrix& b) { return a += b; } explicit operator bool() const { return !d.empty(); } friend std::ostream& operator<<(std::ostream& o, const Matrix& m) { for (int i = 0; i < m.n; ++i) { for (int j = 0; j < m.n; ++j) o << m(i, j) << (j + 1 < m.n ? ' ' : '\n'); } return o; } };
struct It { int v; It& operator++() { ++v; return *this; } It operator++(int) { It t = *this; ++v; return t; } It operator-() const { return {-v}; } int operator*() const { return v; } const It* operator->() const { return this; } bool operator!() const { return v == 0; } It operator~() const { return {~v}; } It& operator=(int x) { v = x; return *this; } It* operator&() { return nullptr; } int operator,(int x) { return v * 100 + x; } It operator<<(int s) const { return {v << s}; } bool operator&&(const It& o) const { return v && o.v; } operator int() const { return v; } int operator->*(int k) const { return v + k; } };
long double operator""_deg(long double d) { return d * 2; } unsigned long long operator""_kb(unsigned long long k) { return k * 1024; } std::string operator""_s(const char* s, size_t n) { return std::string(s, n) + "!"; }
struct Proxy { std::unordered_map<std::string, int>& m; std::string k; Proxy& operator=(int v) { m[k] = v; return *this; } operator int() const { auto i = m.find(k); return i == m.end() ? -1 : i->second; } };
struct Dict { std::unordered_map<std::string, int> m; Proxy operator[](const std::string& k) { return {m, k}; } };
int vsum(int n, ...) { va_list ap; va_start(ap, n); va_list ap2; va_copy(ap2, ap); int s = 0; for (int i = 0; i < n; ++i) s += va_arg(ap, int); for (int i = 0; i < n; ++i) s += va_arg(ap2, int); va_end(ap); va_end(ap2); return s; }
template <class T, class = void> struct HasSize : std::false_type {}; template <class T> struct HasSize<T, std::void_t<decltype(std::declval<T>().size())>> : std::true_type {};
template <class T> std::enable_if_t<HasSize<T>::value, int> len(const T& t) { return t.size(); } template <class T> std::enable_if_t<!HasSize<T>::value, int> len(const T&) { return -1; }
template <class T> struct Node { T v; std::shared_ptr<Node> next; std::weak_ptr<Node> prev; ~Node() { std::printf("~Node%d ", int(v)); } };
struct Sub { std::function<void(int)> cb; std::vector<std::function<void(int)>> all; void on(std::function<void(int)> f) { all.push_back(std::move(f)); } void fire(int x) { for (auto& f : all) f(x); } };
class Res { int* p; public: explicit Res(int v) : p(new int(v)) {} Res(Res&& o) noexcept : p(std::exchange(o.p, nullptr)) {} Res& operator=(Res&& o) noexcept { std::swap(p, o.p); return *this; } Res(const Res&) = delete; ~Res() { delete p; } int get() const { return p ? *p : -1; } };
struct Deleter { int* cnt; void operator()(int* p) const { ++*cnt; delete p; } };
enum class Op { add, mul }; int apply(Op o, int a, int b) { static const std::unordered_map<int, std::function<int(int, int)>> t{{0, std::plus<int>()}, {1, [](int x, int y) { return x * y; }}}; return t.at(int(o))(a, b); }
int main() {
  std::vector<std::unique_ptr<Shape>> v; v.push_back(std::make_unique<Sq>(3)); v.push_back(std::make_unique<Ci>()); for (auto& s : v) { auto c = s->clone(); std::printf("%g %s ", c->area(), typeid(*c).name()); } std::printf("\n");
  Matrix m(2); m[0][1] = 2; m(1, 0) = 3; auto p = m * m + m; std::cout << p; if (m) std::printf("ok\n");
  It i{5}; int a = *i++, b = *++i, c = i->v; std::printf("%d %d %d %d %d %d %d %d\n", a, b, c, (i, 3), !i, *~i, *(i << 2), i->*4); std::printf("%d %d\n", (&i) == nullptr, i && It{0});
  std::printf("%Lg %llu %s\n", 1.5_deg, 4_kb, "lit"_s.c_str()); Dict d; d["a"] = 4; int x = d["a"], y = d["zz"]; std::printf("%d %d %d\n", x, y, vsum(3, 1, 2, 3)); std::printf("%d %d\n", len(std::string("abc")), len(5));
  { auto n1 = std::make_shared<Node<int>>(); n1->v = 1; n1->next = std::make_shared<Node<int>>(); n1->next->v = 2; n1->next->prev = n1; std::printf("%ld %d ", n1.use_count(), n1->next->v); } std::printf("\n");
  Sub s; int total = 0; s.on([&](int k) { total += k; }); s.on([&total, n = 0](int k) mutable { total += k * ++n; }); s.fire(3); s.fire(4); std::printf("%d\n", total);
  std::vector<Res> rs; for (int k = 0; k < 5; ++k) rs.emplace_back(k); rs.erase(rs.begin() + 1); Res moved = std::move(rs[0]); std::printf("%d %d %d %zu\n", moved.get(), rs[0].get(), rs[1].get(), rs.size());
  int cnt = 0; { std::unique_ptr<int, Deleter> u(new int(3), Deleter{&cnt}); std::shared_ptr<int> sh(new int(4), Deleter{&cnt}); std::shared_ptr<int> al(sh, sh.get()); } std::printf("%d\n", cnt);
  std::printf("%d %d\n", apply(Op::add, 3, 4), apply(Op::mul, 3, 4)); std::unordered_map<std::type_index, int> ti{{typeid(int), 1}, {typeid(std::string), 2}}; std::printf("%d %s\n", ti[typeid(std::string)], typeid(Cloner<Sq>).name());
  try { std::vector<int> e; e.at(3); } catch (std::out_of_range& e) { std::printf("%s\n", e.what()); } try { std::stoi("x"); } catch (std::invalid_argument& e) { std::printf("%s\n", e.what()); } try { std::string().substr(1); } catch (std::exception& e) { std::printf("%s\n", e.what()); }
  auto t = std::tie(x, y); t = std::make_tuple(8, 9); std::swap(x, y); std::printf("%d %d\n", x, y); int (*fp[2])(Op, int, int) = {apply, nullptr}; auto& ref = fp; std::printf("%d\n", ref[0](Op::mul, 5, 6)); int (&arr)[3] = *new int[1][3]{{1, 2, 3}}; std::printf("%d\n", arr[2]); delete[] & arr;
}
