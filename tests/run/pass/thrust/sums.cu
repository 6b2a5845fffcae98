// Reductions and scans against loops.
// std: c++14
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/extrema.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/transform_reduce.h>
#include <thrust/transform_scan.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

static unsigned state = 4711;
static unsigned next() {
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}
static int wrong = 0;
static void expect(bool holds, const char* what, int n) {
    if (!holds) {
        wrong++;
        printf("wrong: %s of %d\n", what, n);
    }
}
struct Square {
    __host__ __device__ long long operator()(int x) const { return static_cast<long long>(x) * x; }
};
struct Odd {
    __host__ __device__ bool operator()(int x) const { return x % 2 != 0; }
};
// Products of matrices: they associate, and do not commute.
struct Matrix {
    unsigned a, b, c, d;
};
struct Times {
    __host__ __device__ Matrix operator()(const Matrix& x, const Matrix& y) const {
        return Matrix{x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, x.c * y.a + x.d * y.c, x.c * y.b + x.d * y.d};
    }
};

void reductions(int n) {
    std::vector<int> v(n);
    for (auto& x : v) x = static_cast<int>(next() % 1000) - 500;
    const thrust::device_vector<int> d(v);
    expect(thrust::reduce(d.begin(), d.end()) == std::accumulate(v.begin(), v.end(), 0), "sum", n);
    expect(thrust::reduce(d.begin(), d.end(), -1000, thrust::maximum<int>()) == std::accumulate(v.begin(), v.end(), -1000, [](int a, int b) { return std::max(a, b); }),
           "maximum", n);
    long long squares = 7;
    for (int x : v) squares += static_cast<long long>(x) * x;
    expect(thrust::transform_reduce(d.begin(), d.end(), Square(), 7ll, thrust::plus<long long>()) == squares, "squares", n);
    expect(thrust::inner_product(d.begin(), d.end(), d.begin(), 7ll) == squares, "inner product", n);
    expect(thrust::count(d.begin(), d.end(), 3) == std::count(v.begin(), v.end(), 3), "count", n);
    expect(thrust::count_if(d.begin(), d.end(), Odd()) == std::count_if(v.begin(), v.end(), Odd()), "count_if", n);
    expect(thrust::min_element(d.begin(), d.end()) - d.begin() == std::min_element(v.begin(), v.end()) - v.begin(), "min_element", n);
    expect(thrust::max_element(d.begin(), d.end()) - d.begin() == std::max_element(v.begin(), v.end()) - v.begin(), "max_element", n);
    const auto both = thrust::minmax_element(d.begin(), d.end());
    expect(both.first == thrust::min_element(d.begin(), d.end()) && both.second == thrust::max_element(d.begin(), d.end()), "minmax_element", n);
}

void scans(int n) {
    std::vector<int> v(n), w(n);
    for (auto& x : v) x = static_cast<int>(next() % 1000) - 500;
    thrust::device_vector<int> d(v), out(n);
    thrust::inclusive_scan(d.begin(), d.end(), out.begin());
    std::partial_sum(v.begin(), v.end(), w.begin());
    expect(out == w, "inclusive_scan", n);
    auto end = thrust::exclusive_scan(d.begin(), d.end(), out.begin(), 5);
    expect(end == out.end(), "end of a scan", n);
    for (int i = 0, all = 5; i < n; all += v[i++]) w[i] = all;
    expect(out == w, "exclusive_scan", n);
    thrust::exclusive_scan(d.begin(), d.end(), d.begin(), -1000, thrust::maximum<int>());
    for (int i = 0, all = -1000; i < n; all = std::max(all, v[i++])) w[i] = all;
    expect(d == w, "exclusive_scan in place", n);
    d = v;
    thrust::transform_inclusive_scan(d.begin(), d.end(), out.begin(), thrust::negate<int>(), thrust::plus<int>());
    for (int i = 0, all = 0; i < n; i++) w[i] = all -= v[i];
    expect(out == w, "transform_inclusive_scan", n);

    std::vector<Matrix> m(n), products(n);
    for (auto& x : m) x = Matrix{next(), next(), next(), next()};
    thrust::device_vector<Matrix> dm(m);
    thrust::inclusive_scan(dm.begin(), dm.end(), dm.begin(), Times());
    std::partial_sum(m.begin(), m.end(), products.begin(), Times());
    thrust::host_vector<Matrix> hm = dm;
    bool same = true;
    for (int i = 0; i < n; i++) same = same && hm[i].a == products[i].a && hm[i].d == products[i].d;
    expect(same, "scan of matrices", n);
}

void by_keys(int n, int runs) {
    std::vector<int> keys(n), v(n), inclusive(n), exclusive(n), sums, heads;
    int key = 0;
    for (int i = 0; i < n; i++) {
        if (next() % 100 < static_cast<unsigned>(runs)) key++;
        keys[i] = key;
        v[i] = static_cast<int>(next() % 100);
        const bool starts = i == 0 || keys[i - 1] != key;
        inclusive[i] = v[i] + (starts ? 0 : inclusive[i - 1]);
        exclusive[i] = starts ? 9 : exclusive[i - 1] + v[i - 1];
        if (starts) {
            heads.push_back(key);
            sums.push_back(0);
        }
        sums.back() += v[i];
    }
    thrust::device_vector<int> dk(keys), dv(v), out(n), out_keys(n);
    thrust::inclusive_scan_by_key(dk.begin(), dk.end(), dv.begin(), out.begin());
    expect(out == inclusive, "inclusive_scan_by_key", n);
    thrust::exclusive_scan_by_key(dk.begin(), dk.end(), dv.begin(), out.begin(), 9);
    expect(out == exclusive, "exclusive_scan_by_key", n);
    auto ends = thrust::reduce_by_key(dk.begin(), dk.end(), dv.begin(), out_keys.begin(), out.begin());
    out_keys.resize(ends.first - out_keys.begin());
    out.resize(ends.second - out.begin());
    expect(out_keys == heads && out == sums, "reduce_by_key", n);
    thrust::host_vector<int> hk(keys), hv(v), ok(n), ov(n);
    auto host_ends = thrust::reduce_by_key(hk.begin(), hk.end(), hv.begin(), ok.begin(), ov.begin());
    ov.resize(host_ends.second - ov.begin());
    expect(ov == sums, "reduce_by_key on the host", n);
}

int main() {
    const int sizes[] = {0, 1, 2, 31, 255, 256, 257, 1000, 4096, 20001};
    for (int n : sizes) {
        reductions(n);
        scans(n);
        by_keys(n, 5);
        by_keys(n, 50);
        by_keys(n, 0);
    }
    thrust::device_vector<float> f(1000, 0.5f);
    printf("%g %g\n", thrust::reduce(f.begin(), f.end()), thrust::reduce(thrust::device, f.begin(), f.begin() + 10, 1.0, thrust::multiplies<double>()));
    printf("wrong: %d\n", wrong);
    return 0;
}
