// Floating-point numbers to integers on the device, those out of range and what is not a number among them. What is
// printed is what an H100 prints.
#include <cmath>
#include <cstdio>
#include <cstring>

template <class T> __device__ void row(T x) {
    printf("%d %d %d %d %d %u %lld %llu\n", (signed char)x, (unsigned char)x, (short)x, (unsigned short)x, (int)x, (unsigned)x,
           (long long)x, (unsigned long long)x);
}

__global__ void k(const double *x, int n) {
    for (int i = 0; i < n; i++) {
        row(x[i]);
        row((float)x[i]);
    }
}

int main() {
    const double values[] = {NAN, INFINITY, -INFINITY, 1e10, -1e10, 1e20, -1e20, 300.7, -1.5, 2147483648.0, 4294967296.5, 0.5};
    double *x;
    cudaMalloc(&x, sizeof values);
    cudaMemcpy(x, values, sizeof values, cudaMemcpyHostToDevice);
    k<<<1, 1>>>(x, (int)(sizeof values / sizeof *values));
    cudaDeviceSynchronize();
    cudaFree(x);
}
