// Packs in lambdas, bindings by a class's own get, casts by names of types, hidden first parts of statements,
// variable templates and bit casts compute the same on the host and on the device.
#include <cstdio>
#include <tuple>
#include <utility>

struct Pair {
    int a, b;
    template <std::size_t I> __host__ __device__ int& get() {
        if constexpr (I == 0) return a;
        else return b;
    }
};
namespace std {
template <> struct tuple_size<Pair> : integral_constant<size_t, 2> {};
template <size_t I> struct tuple_element<I, Pair> { using type = int; };
}

template <class T> constexpr T weight = T(3) / T(2);
using Reference = int&;

template <class... A> __host__ __device__ int fold(int k, A... rest) {
    auto by_copy = [=] { return ((rest * k) + ... + 0); };
    auto by_list = [k, rest...] { return (k - ... - rest); };
    auto by_reference = [&] { ((rest += k), ...); return (rest + ... + 0); };
    return by_copy() * 10000 + by_list() * 100 + by_reference();
}

__host__ __device__ int compute(int t) {
    Pair p{t, t + 1};
    auto& [x, y] = p;
    x += 5;
    static_cast<Reference>(y) += 7;
    int z = 0;
    switch (int k = t % 3; k) {
    case 0: z = 100 + k; break;
    case 1: z = 200 + k; break;
    default: z = 300 + k;
    }
    for (int step = t % 2 + 1; int v : {1, 2, 3}) z += v * step;
    unsigned bits = __builtin_bit_cast(unsigned, weight<float> + t);
    constexpr int table[] = {2, 3, 5, 7};
    auto pick = [=](int i) { return table[i & 3] + y; };
    return fold(t, p.a, p.b, z) + static_cast<int>(bits >> 16) + pick(t);
}

__global__ void kernel(int* out) { out[threadIdx.x] = compute(threadIdx.x); }

int main() {
    int* out;
    cudaMallocManaged(&out, 64 * sizeof(int));
    kernel<<<1, 64>>>(out);
    cudaDeviceSynchronize();
    int same = 0;
    for (int t = 0; t < 64; t++) same += out[t] == compute(t);
    std::printf("%d of 64\n", same);
    cudaFree(out);
}
