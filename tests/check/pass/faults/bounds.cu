// Sizes that only the run knows: each access is in bounds all the same.
// flags: --strict
#include <cstdlib>

__global__ void add(float *sum, const float *a, const float *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        sum[i] = a[i] + b[i];
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 1000;
    size_t bytes = n * sizeof(float);
    float *a = nullptr, *b = nullptr, *sum = nullptr;
    cudaMalloc(&a, bytes);
    cudaMalloc(&b, bytes);
    cudaMalloc(&sum, bytes);
    cudaMemset(a, 0, bytes);
    cudaMemset(b, 0, bytes);
    add<<<(n + 255) / 256, 256>>>(sum, a, b, n);
    cudaDeviceSynchronize();
    cudaFree(a);
    cudaFree(b);
    cudaFree(sum);
    return 0;
}
