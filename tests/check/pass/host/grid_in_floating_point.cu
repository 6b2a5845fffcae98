// The host computes its grid in floating point, of which nothing is known: no launch is as large as to wrap an index around.
// flags: --verdicts
#include <cmath>
#include <cstdlib>

__global__ void halve(float *a, int n) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < n)
        a[j] = a[j] / 2;
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 1000;
    float *a;
    cudaMalloc(&a, n * sizeof(float));
    halve<<<(unsigned)ceil((float)n / 256.0f), 256>>>(a, n);
    cudaDeviceSynchronize();
    cudaFree(a);
    return 0;
}
