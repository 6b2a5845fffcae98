// What clang refuses and nvcc takes: `register` under C++17, and names of <library_types.h> without an include.
// flags: -std=c++17
#include <cstdio>

__global__ void kernel(int *p) {
    register int x = 3;
    *p = x;
}

int main() {
    register int n = 4;
    int *d;
    cudaMalloc(&d, n);
    kernel<<<1, 1>>>(d);
    cudaMemcpy(&n, d, sizeof n, cudaMemcpyDeviceToHost);
    cudaDataType t = CUDA_R_16F;
    cudaDataType_t u = CUDA_C_32F;
    libraryPropertyType p = PATCH_LEVEL;
    printf("%d %d %d %d\n", n, (int)t, (int)u, (int)p);
    cudaFree(d);
}
