// Classes, templates, lambdas and allocation on the device, compared with the same code on the host.
// std: c++17
#include <cstdio>
#include <tuple>
#include <type_traits>
#include <utility>
#define HD __host__ __device__
struct Base { int b; HD Base(int b) : b(b) {} HD virtual int f() const { return b; } HD virtual ~Base() {} };
struct Der : Base { int k; HD Der(int k) : Base(k * 2), k(k) {} HD int f() const override { return Base::f() + k; } };
template <class T, int N> struct Vec { T v[N]; HD constexpr T& operator[](int i) { return v[i]; } HD constexpr const T& operator[](int i) const { return v[i]; } template <class U> HD auto dot(const Vec<U, N>& o) const { decltype(T() * U()) s{}; for (int i = 0; i < N; ++i) s += v[i] * o.v[i]; return s; } HD friend Vec operator+(Vec a, const Vec& b) { for (int i = 0; i < N; ++i) a.v[i] += b.v[i]; return a; } HD T* begin() { return v; } HD T* end() { return v + N; } };
template <class F, class... A> HD auto call(F f, A... a) { return f(a...); }
template <class... T> HD auto sum(T... t) { return (t + ... + 0); }
template <class T> HD constexpr int kind() { if constexpr (std::is_floating_point_v<T>) return 1; else if constexpr (std::is_pointer_v<T>) return 2; else return 3; }
struct Ctr { int* p; HD Ctr(int* p) : p(p) { ++*p; } HD ~Ctr() { *p += 10; } HD Ctr(const Ctr& o) : p(o.p) { *p += 100; } };
union Uf { float f; unsigned u; HD Uf(float f) : f(f) {} };
struct M { int a = 3; HD int g(int x) const { return a * x; } int c : 4 = 5; };
template <class Op> struct Run { Op op; HD int operator()(int x) const { return op(x); } };
enum class E : unsigned char { x = 3, y }; struct Node { int v; Node* n; };
HD int rec(int n) { return n < 2 ? 1 : n * rec(n - 1); }
HD int work(int t) {
  int r = 0; Der d(t); const Base& b = d; r += b.f(); Vec<int, 3> v{{t, 2, 3}}; Vec<float, 3> w{{0.5f, 1, 2}}; r += int(v.dot(w)) + (v + v)[2]; for (int& x : v) x *= 2; r += v[0];
  r += call([=](int a, int c) { return a * c + t; }, 2, 3) + sum(1, 2, t) + kind<float>() + kind<int*>() * 10; int cnt = 0; { Ctr c(&cnt); Ctr e = c; (void)e; } r += cnt; Uf u(1.0f); r += u.u >> 23; int (M::*pm)(int) const = &M::g; int M::*pd = &M::a; M m; m.*pd += t; r += (m.*pm)(2) + m.c; auto add = [&r](int k) { r += k; return k; }; Run<decltype(add)> run{add}; run(t);
  auto [p, q] = std::pair<int, int>(t, 4); r += p * q; switch (E(t & 7)) { case E::x: r += 1000; [[fallthrough]]; case E::y: r += 2000; break; default: r += 1; } Node* l = nullptr; for (int i = 0; i < 3; ++i) l = new Node{i + t, l}; while (l) { r += l->v; Node* n = l->n; delete l; l = n; } Base* bp = new Der(3); r += bp->f(); delete bp; r += rec(5); int i = 0; again: if (i++ < 3) goto again; r += i; std::tuple<int, float> tp(1, 2.5f); r += int(std::get<1>(tp) * 2); static_assert(kind<char>() == 3); constexpr Vec<int, 2> cv{{4, 5}}; r += cv[1]; return r;
}
__global__ void k(int* o) { o[threadIdx.x] = work(threadIdx.x); }
template <class F> __global__ void gen(F f, int* o) { o[threadIdx.x] += f(threadIdx.x); }
int main() { int* o; cudaMallocManaged(&o, 32); k<<<1, 8>>>(o); cudaDeviceSynchronize(); int bad = 0; for (int i = 0; i < 8; ++i) bad += o[i] != work(i); std::printf("%d %d %d\n", bad, o[0], o[3]); int cap = 5; auto l = [=] HD (int x) { return x * cap; }; gen<<<1, 8>>>(l, o); cudaDeviceSynchronize(); std::printf("%d\n", o[3] - work(3)); cudaFree(o); }
