// Callees in parentheses: a kernel, and members on both sides.
#include <cstdio>

struct Scale {
    int by;
    __host__ __device__ int mix(int x) const { return x * by; }
    __host__ __device__ int operator()(int x) const { return x + by; }
};

__global__ void fill(int *p) {
    Scale scale{3};
    p[threadIdx.x] = (scale.mix)(threadIdx.x) + (scale)(1);
}

int main() {
    int *p;
    cudaMallocManaged(&p, 4 * sizeof(int));
    (fill)<<<1, 4>>>(p);
    (cudaDeviceSynchronize)();
    Scale scale{5};
    printf("%d %d %d\n", p[3], (scale.mix)(2), (scale)(2));
    cudaFree(p);
}
