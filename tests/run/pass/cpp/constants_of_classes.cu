// Constants of classes whose constructors are constexpr: variables of the device, and constants of the host that kernels
// read. (The Programming Guide's "Const-qualified variables"; clang refuses what is not constant.)
#include <cstdio>

#define ON_BOTH __host__ __device__

struct Pair {
    int x, y;
    ON_BOTH constexpr Pair(int x = 3, int y = 4) : x(x), y(y) {}
    ON_BOTH constexpr int sum() const { return x + y; }
};

struct Scaled : Pair {
    unsigned low : 4, high : 12;
    double factors[2];
    Pair inner[2] = {{1, 2}, 3};
    union {
        int whole;
        float real;
    };
    ON_BOTH constexpr Scaled(double f) : Pair(7), low(9), high(300), factors{f, f * 2}, real(1.5f) {}
};

__constant__ Pair constant(5, 6);
__constant__ Pair constants[2] = {Pair(1, 2), {7}};
__device__ Pair plain;
__device__ Pair written[3] = {{9, 9}};
__device__ Scaled scaled(0.25);
__managed__ Pair managed(8);
static __device__ Pair internal(20, 30);
namespace {
constexpr Pair of_host(1);
} // namespace
inline constexpr Scaled scaled_of_host(3);
template <class T> constexpr Pair of_type(sizeof(T), 1);
template <class T> __device__ Pair on_device(sizeof(T), 2);
struct Holder {
    static constexpr Pair member{3, 4};
    static __constant__ Pair constant;
};
__constant__ Pair Holder::constant(11, 12);

__global__ void kernel(int *out) {
    int n = 0;
    static constexpr Pair local(6);
    static constexpr Pair locals[] = {{1, 2}, Pair(3)};
    out[n++] = constant.sum() * 100 + constants[1].x;
    out[n++] = plain.sum() * 100 + written[0].sum() + written[2].sum();
    out[n++] = scaled.x * 10000 + scaled.low * 1000 + scaled.high + (int)(scaled.factors[1] * 10);
    out[n++] = scaled.inner[1].y * 10 + (scaled.real == 1.5f);
    out[n++] = managed.sum();
    out[n++] = internal.y;
    out[n++] = of_host.x * 10 + of_host.sum();
    out[n++] = (int)scaled_of_host.factors[1] + scaled_of_host.inner[0].sum();
    out[n++] = of_type<short>.sum() + on_device<double>.x;
    out[n++] = Holder::member.y * 100 + Holder::constant.y;
    out[n++] = local.sum() * 100 + locals[threadIdx.x + 1].sum();
    written[1].x++;
    plain = Pair(written[1].x, 1);
}

int main() {
    int out[11], *d;
    Pair got;
    cudaMalloc(&d, sizeof out);
    for (int i = 0; i < 2; i++) {
        kernel<<<1, 1>>>(d);
        cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost);
        for (int value : out) printf("%d ", value);
        cudaMemcpyFromSymbol(&got, plain, sizeof got);
        printf("| %d\n", got.x);
        Pair other(2, 2);
        cudaMemcpyToSymbol(constant, &other, sizeof other);
        managed.x = 100;
    }
    printf("%d %d\n", of_host.sum(), scaled_of_host.low);
    cudaFree(d);
}
