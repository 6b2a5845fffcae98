// What goes element by element, iterators that are no memory, placeholders, and vectors as such.
// std: c++14
#include <thrust/copy.h>
#include <thrust/device_malloc.h>
#include <thrust/device_free.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/generate.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/zip_function.h>
#include <thrust/reduce.h>
#include <thrust/sequence.h>
#include <thrust/tabulate.h>
#include <thrust/transform.h>
#include <thrust/tuple.h>
#include <thrust/universal_vector.h>

#include <cstdio>
#include <iostream>
#include <iterator>
#include <list>
#include <vector>

template <typename V> void show(const char* name, const V& v) {
    std::cout << name << ":";
    for (size_t i = 0; i < v.size(); i++) std::cout << ' ' << v[i];
    std::cout << '\n';
}

struct Saxpy {
    float a;
    __host__ __device__ float operator()(float x, float y) const { return a * x + y; }
};
struct Integrate {
    template <typename Tuple> __device__ void operator()(Tuple t) const {
        const float velocity = thrust::get<1>(t) * 0.5f;
        thrust::get<0>(t) += velocity;
        thrust::get<1>(t) = velocity;
    }
};
struct Halve {
    __host__ __device__ int operator()(int x) const { return x / 2; }
};
struct Doubled {
    int* seen;
    __device__ void operator()(int& x) {
        atomicAdd(seen, 1);
        x *= 2;
    }
};

int main() {
    using namespace thrust::placeholders;
    thrust::device_vector<float> x(8), y(8, 2.0f);
    thrust::sequence(x.begin(), x.end(), 1.0f, 0.5f);
    thrust::transform(x.begin(), x.end(), y.begin(), y.begin(), Saxpy{2.0f});
    show("saxpy", y);
    thrust::for_each(thrust::make_zip_iterator(thrust::make_tuple(x.begin(), y.begin())),
                     thrust::make_zip_iterator(thrust::make_tuple(x.end(), y.end())), Integrate());
    show("positions", x);
    thrust::transform_if(x.begin(), x.end(), x.begin(), thrust::negate<float>(), _1 > 4.0f);
    show("some negated", x);
    thrust::transform(x.begin(), x.end(), y.begin(), x.begin(), 2.0f * _1 - _2 / 2.0f);
    show("placeholders", x);

    thrust::device_vector<int> d(6);
    thrust::tabulate(d.begin(), d.end(), _1 * _1);
    show("squares", d);
    int* seen;
    cudaMalloc(&seen, sizeof(int));
    cudaMemset(seen, 0, sizeof(int));
    thrust::for_each_n(thrust::device, d.begin(), 4, Doubled{seen});
    show("doubled", d);
    printf("seen %d, sum of odd numbers %d\n", static_cast<int>(thrust::device_pointer_cast(seen)[0]),
           thrust::reduce(thrust::make_transform_iterator(thrust::make_counting_iterator(0), 2 * _1 + 1),
                          thrust::make_transform_iterator(thrust::make_counting_iterator(10), 2 * _1 + 1)));
    fflush(stdout);
    cudaFree(seen);
    thrust::device_vector<int> map{5, 0, 3};
    thrust::device_vector<int> picked(thrust::make_permutation_iterator(d.begin(), map.begin()), thrust::make_permutation_iterator(d.begin(), map.end()));
    show("picked", picked);
    thrust::fill_n(thrust::make_permutation_iterator(d.begin(), map.begin()), 2, 77);
    show("filled", d);
    thrust::device_vector<int> e(6);
    thrust::copy(thrust::make_reverse_iterator(d.end()), thrust::make_reverse_iterator(d.begin()),
                 thrust::make_transform_output_iterator(e.begin(), Halve()));
    show("halves", e);
    thrust::copy(d.rbegin(), d.rend(), e.begin());
    show("reversed", e);
    thrust::transform(thrust::make_zip_iterator(d.begin(), e.begin()), thrust::make_zip_iterator(d.end(), e.end()), e.begin(),
                      thrust::make_zip_function([] __device__(int a, int b) { return a - b; }));
    show("zip_function", e);
    auto sums = thrust::reduce_by_key(thrust::make_constant_iterator(1), thrust::make_constant_iterator(1) + 6, e.begin(), thrust::make_discard_iterator(), d.begin());
    printf("%ld group: %d\n", static_cast<long>(sums.second - d.begin()), static_cast<int>(d[0]));
    fflush(stdout);

    // Vectors.
    thrust::device_vector<int> v{1, 2, 3};
    v.push_back(4);
    v.insert(v.begin() + 1, 9);
    v.insert(v.end(), 2, 6);
    v.erase(v.begin());
    show("edited", v);
    v[1] += 10;
    v[2] = v[1];
    v.front() = v.back() * 2;
    swap(v[0], v[3]);
    ++v[4];
    show("references", v);
    thrust::host_vector<int> h(v);
    h.resize(9, -1);
    v = h;
    v.pop_back();
    printf("%d %d %d %d\n", static_cast<int>(v.size()), v == h, v != h, static_cast<int>(v.back()));
    std::list<int> list(v.begin(), v.end());
    thrust::device_vector<double> from_list(list.begin(), list.end());
    std::vector<int> plain(8);
    thrust::copy(from_list.begin(), from_list.end(), plain.begin());
    thrust::copy(v.begin(), v.end(), std::ostream_iterator<int>(std::cout, ","));
    std::cout << std::endl;
    int* raw = thrust::raw_pointer_cast(v.data());
    int at_two = 0;
    cudaMemcpy(&at_two, raw + 2, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d %d %d\n", at_two, plain[2], thrust::raw_pointer_cast(&v[3]) == raw + 3);
    fflush(stdout);
    thrust::device_ptr<int> p = thrust::device_malloc<int>(4);
    thrust::fill(p, p + 4, 3);
    p[1] = 8;
    std::cout << *p << ' ' << p[1] << ' ' << thrust::reduce(p, p + 4) << '\n';
    thrust::device_free(p);
    thrust::universal_vector<int> u(5, 1);
    thrust::transform(u.begin(), u.end(), u.begin(), _1 + 1);
    u[0] = 100;
    int all = 0;
    for (int i : u) all += i;
    printf("%d\n", all);
    thrust::host_vector<int> g(4);
    int count = 0;
    thrust::generate(g.begin(), g.end(), [&] { return count += 3; });
    show("generated", g);
    thrust::tuple<int, float, char> t(1, 2.5f, 'c');
    int a;
    float b;
    char c;
    thrust::tie(a, b, c) = t;
    auto [i, f, k] = t;
    printf("%d %g %c %d %g %c %d\n", a, b, c, i, f, k, t < thrust::make_tuple(1, 3.0f, 'a'));
    return 0;
}
