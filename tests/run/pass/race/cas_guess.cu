// The first read of a compare-and-swap loop is a guess, which the operation finds right or wrong.
#include <stdio.h>

// The programming guide's addition of doubles.
__device__ double add(double *address, double value) {
    unsigned long long *p = (unsigned long long *)address, old = *p, assumed;
    do {
        assumed = old;
        old = atomicCAS(p, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}

__device__ void maximum(float *address, float value) {
    int *p = (int *)address, old = *(volatile int *)p;
    while (value > __int_as_float(old)) {
        const int assumed = old;
        old = atomicCAS(p, assumed, __float_as_int(value));
        if (old == assumed) break;
    }
}

__global__ void k(double *sum, float *largest) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    add(sum, i);
    maximum(largest, (float)(i * 37 % 101));
    __shared__ double s;
    if (threadIdx.x == 0) s = 0;
    __syncthreads();
    add(&s, 1);
    __syncthreads();
    if (threadIdx.x == 0) add(sum, s);
}

int main() {
    double *sum;
    float *largest;
    cudaMallocManaged(&sum, sizeof *sum);
    cudaMallocManaged(&largest, sizeof *largest);
    *sum = 0;
    *largest = 0;
    k<<<4, 32>>>(sum, largest);
    cudaDeviceSynchronize();
    printf("%g %g\n", *sum, *largest);
    cudaFree(sum);
    cudaFree(largest);
    return 0;
}
