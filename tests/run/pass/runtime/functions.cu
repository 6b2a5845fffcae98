// What the runtime says of kernels and takes for them: attributes, limits, occupancy, launches by pointer.
#include <cstdio>
#include <cstring>

#define SAY(call) printf("%s: %s\n", #call, cudaGetErrorName(call))

struct Pair {
    char c;
    double d;
};

__global__ void k(int *out, char c, Pair pair, short s) { *out = c + (int)pair.d + s; }
__global__ void __launch_bounds__(128) bounded(int *out) {
    __shared__ int tile[256];
    tile[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0 && blockIdx.x == 0) *out = tile[blockDim.x - 1];
}
__global__ void dynamic(int *out) {
    extern __shared__ int tile[];
    tile[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) *out = tile[blockDim.x - 1];
}
static void host() {}

int main() {
    const char *name = "?";
    SAY(cudaFuncGetName(&name, (const void *)k));
    printf("%s\n", strstr(name, "k") ? "named" : name);
    SAY(cudaFuncGetName(nullptr, (const void *)k));
    SAY(cudaFuncGetName(&name, (const void *)host));
    for (size_t i = 0;; i++) {
        size_t offset = 99, size = 99;
        cudaError_t e = cudaFuncGetParamInfo((const void *)k, i, &offset, &size);
        printf("parameter %zu: %s", i, cudaGetErrorName(e));
        if (e != cudaSuccess) break;
        printf(", %zu bytes at %zu\n", size, offset);
    }
    printf("\n");

    cudaFuncAttributes a;
    SAY(cudaFuncGetAttributes(&a, bounded));
    printf("%zu shared, %d threads\n", a.sharedSizeBytes, a.maxThreadsPerBlock);
    SAY(cudaFuncGetAttributes(&a, (const void *)host));
    SAY(cudaFuncGetAttributes(nullptr, (const void *)k));
    SAY(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000));
    SAY(cudaFuncGetAttributes(&a, dynamic));
    printf("%d dynamic\n", a.maxDynamicSharedSizeBytes);
    SAY(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 30));
    SAY(cudaFuncSetAttribute(dynamic, cudaFuncAttributePreferredSharedMemoryCarveout, 50));
    SAY(cudaFuncSetAttribute(dynamic, cudaFuncAttributePreferredSharedMemoryCarveout, 101));
    SAY(cudaFuncSetAttribute(dynamic, (cudaFuncAttribute)99, 1));
    SAY(cudaFuncSetCacheConfig(k, cudaFuncCachePreferL1));
    SAY(cudaFuncSetSharedMemConfig(k, cudaSharedMemBankSizeFourByte));
    SAY(cudaFuncSetCacheConfig((const void *)host, cudaFuncCachePreferL1));

    int blocks = -1, grid = -1, block = -1;
    size_t room = 0;
    SAY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k, 256, 0));
    printf("%d blocks of 256\n", blocks);
    SAY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bounded, 128, 0));
    printf("%d blocks of 128\n", blocks);
    SAY(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, dynamic, 64, 100000, cudaOccupancyDefault));
    printf("%d blocks with 100000 bytes\n", blocks);
    SAY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, k, 256, 0));
    SAY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)host, 256, 0));
    SAY(cudaOccupancyMaxPotentialBlockSize(&grid, &block, k, 0, 0));
    printf("%d blocks of %d\n", grid, block);
    SAY(cudaOccupancyMaxPotentialBlockSize(&grid, &block, bounded, 0, 0));
    printf("at most 128: %d\n", block);
    SAY(cudaOccupancyAvailableDynamicSMemPerBlock(&room, bounded, 2, 128));
    printf("room: %d\n", room > 1024);

    int *out;
    cudaMallocManaged(&out, sizeof *out);
    char c = 1;
    Pair pair = {0, 20.0};
    short s = 300;
    void *args[] = {&out, &c, &pair, &s};
    SAY(cudaLaunchKernel(k, dim3(1), dim3(1), args, 0, 0));
    SAY(cudaDeviceSynchronize());
    printf("%d\n", *out);
    cudaFunction_t handle = nullptr;
    SAY(cudaGetFuncBySymbol(&handle, (const void *)k));
    SAY(cudaGetFuncBySymbol(&handle, (const void *)host));
    SAY(cudaLaunchCooperativeKernelMultiDevice(nullptr, 0, 0));
    void *just[] = {&out};
    SAY(cudaLaunchCooperativeKernel(bounded, dim3(4), dim3(128), just, 0, 0));
    SAY(cudaLaunchCooperativeKernel(bounded, dim3(1000000), dim3(128), just, 0, 0));
    SAY(cudaDeviceSynchronize());
    printf("%d\n", *out);
    cudaFree(out);
}
