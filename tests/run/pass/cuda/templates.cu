// Template kernels and device functions, references, overloads, default arguments, namespaces, constexpr.
#include <stdio.h>

namespace tools {
template <typename T>
__host__ __device__ T square(T x) { return x * x; }

__device__ int pick(int) { return 1; }
__device__ int pick(float) { return 2; }
__device__ int pick(double) { return 3; }
}

template <typename T, int N>
struct Tile {
    T items[N];
    __device__ T &at(int i) { return items[i]; }
    __device__ T sum() const {
        T total = 0;
        for (int i = 0; i < N; ++i) total += items[i];
        return total;
    }
    static constexpr int size = N;
};

template <typename T, int BLOCK>
__global__ void reduce(const T *in, T *out) {
    __shared__ Tile<T, BLOCK> tile;
    tile.at(threadIdx.x) = tools::square(in[threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) *out = tile.sum() + T(Tile<T, BLOCK>::size);
}

__device__ void exchange(int &a, int &b, int factor = 10) {
    int t = a * factor;
    a = b * factor;
    b = t;
}

__host__ __device__ constexpr int choose(int n) { return n > 4 ? n * 2 : n; }

__global__ void mixed(int *out) {
    int a = 1, b = 2;
    exchange(a, b);
    exchange(a, b, 1);
    auto c = a + b;
    out[0] = a * 100 + b + c * 1000;
    out[1] = tools::pick(1) * 100 + tools::pick(1.0f) * 10 + tools::pick(1.0);
    constexpr int size = choose(5);
    int box[size];
    for (int &x : box) x = 3;
    out[2] = box[size - 1] * size;
    auto add = [&](int k) { return a + k; };
    out[3] = add(5) + [](int x) { return x * 2; }(4);
}

template <class T>
T run(const char *name, T first) {
    T host[32], *in, *out, result;
    for (int i = 0; i < 32; ++i) host[i] = first + i;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof(T));
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    reduce<T, 32><<<1, 32>>>(in, out);
    cudaMemcpy(&result, out, sizeof(T), cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    printf("%s ", name);
    return result;
}

int main() {
    printf("%d\n", run<int>("int", 1));
    printf("%g\n", run<float>("float", 0.5f));
    printf("%g\n", run<double>("double", -16));
    int *dev, host[4];
    cudaMalloc(&dev, sizeof host);
    mixed<<<1, 1>>>(dev);
    cudaMemcpy(host, dev, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d\n", host[0], host[1], host[2], host[3]);
    cudaFree(dev);
    return 0;
}
