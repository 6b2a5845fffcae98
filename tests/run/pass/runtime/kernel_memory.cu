// What a kernel takes of constant, shared and local memory, by the runtime and by the driver.
#include <cstdio>
#include <cuda.h>

__constant__ int table[100];
__constant__ double factor;
const int of_host[2] = {1, 2};

__global__ void plain(int *p) { *p = table[0] + (int)factor + of_host[*p & 1]; }
__global__ void spills(int *p, int n) {
    __shared__ float shared[64];
    volatile int room[16];
    for (int i = 0; i < 16; i++) room[i] = i * n;
    shared[threadIdx.x] = room[n & 15];
    *p = room[threadIdx.x & 15] + (int)shared[threadIdx.x];
}

static void show(const char *name, const void *kernel) {
    cudaFuncAttributes a;
    cudaFuncGetAttributes(&a, kernel);
    cudaFunction_t f;
    cudaGetFuncBySymbol(&f, kernel);
    int constant, local, shared;
    cuFuncGetAttribute(&constant, CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES, f);
    cuFuncGetAttribute(&local, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, f);
    cuFuncGetAttribute(&shared, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, f);
    printf("%s: constant %zu %d, shared %zu %d, local %d %d\n", name, a.constSizeBytes, constant, a.sharedSizeBytes, shared,
           a.localSizeBytes >= 64, local == (int)a.localSizeBytes);
}

int main() {
    cuInit(0);
    show("plain", (const void *)plain);
    show("spills", (const void *)spills);
}
