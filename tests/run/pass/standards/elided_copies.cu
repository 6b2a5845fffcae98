// Before C++17 a temporary that becomes an object is copied into it, and the copy is left out: arguments, results,
// initialisers, captures and exceptions see as many objects as from C++17 on.
// revisions: c11 c14 c17 c20
//[c11] flags: -std=c++11
//[c14] flags: -std=c++14
//[c17] flags: -std=c++17
//[c20] flags: -std=c++20
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

struct Noise {
    int n;
    __host__ __device__ Noise(int n) : n(n) { printf("+%d", n); }
    __host__ __device__ Noise(const Noise &o) : n(o.n + 100) { printf("=%d", n); }
    __host__ __device__ ~Noise() { printf("-%d ", n); }
};
struct Defaulted {
    int n;
    Defaulted(int n) : n(n) {}
    Defaulted(const Defaulted &o, int more = 7) : n(o.n + more) { printf("copied "); }
};
__host__ __device__ Noise make(int n) { return Noise(n); }
__host__ __device__ Noise implied(int n) { return n; }
__host__ __device__ int take(Noise x) { return x.n; }
__host__ __device__ Noise same(const Noise &x) { return x; }

__host__ __device__ void all(bool yes) {
    Noise a = 1, b = make(2), c(implied(3)), d = Noise(4), e = {5};
    printf("| %d%d%d%d%d | ", a.n, b.n, c.n, d.n, e.n);
    printf("%d ", take(6));
    printf("%d ", take(yes ? Noise(7) : make(8)));
    printf("%d ", take(same(a)));
    printf("%d\n", take((make(9))));
}

struct Bits { static constexpr bool value = true; static const int size = 3; };
constexpr bool Bits::value;
template <bool B> struct Is { static constexpr bool value = B; };
template <bool B> constexpr bool Is<B>::value;

__global__ void kernel(int *p) {
    all(true);
    const bool bits = Bits::value, is = Is<true>::value;
    *p = bits + is + Bits::size;
}

int main() {
    all(false);
    Defaulted f = 3, g = f;
    printf("%d %d\n", f.n, g.n);
    auto by_value = [](Noise x) { return x; };
    printf("%d\n", by_value(10).n);
    try {
        throw Noise(11);
    } catch (const Noise &x) {
        printf("%d\n", x.n);
    }
    std::string s = std::string("a") + "b";
    std::vector<std::string> v = {s, "c"};
    for (const std::string &x : v) std::cout << x << '\n';
    int *d, h;
    cudaMalloc(&d, sizeof *d);
    kernel<<<1, 1>>>(d);
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    std::cout << h << std::endl;
    cudaFree(d);
}
