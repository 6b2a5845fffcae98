// Launches, functions, occupancy: what is refused, and what it is called.
#include <cstdint>
#include <cstdio>

#define SAY(call) printf("%s: %s\n", #call, cudaGetErrorName(call))

__global__ void add(int *p, int n) { *p += n; }
__global__ void __launch_bounds__(64) narrow(int *p) { *p += 1; }
void on_host(int *) {}

int main() {
    int *d, n = 1, blocks;
    size_t bytes;
    cudaMalloc(&d, 4);
    cudaMemset(d, 0, 4);
    void *args[] = {&d, &n};
    const cudaStream_t none = (cudaStream_t)args;
    const void *kernel = (const void *)add, *host = (const void *)on_host;

    SAY(cudaLaunchKernel(host, dim3(1), dim3(1), args, 0, 0));
    SAY(cudaLaunchKernel(nullptr, dim3(1), dim3(1), args, 0, 0));
    SAY(cudaLaunchKernel(kernel, dim3(0), dim3(1), args, 0, 0)); //~ ERROR invalid-launch: the launch of `add` with a grid of 0 x 1 x 1: x is 0
    SAY(cudaLaunchKernel(kernel, dim3(1), dim3(2048), args, 0, 0)); //~ ERROR invalid-launch: the launch of `add` with a block of 2048 x 1 x 1: x is more 
    SAY(cudaLaunchKernel(kernel, dim3(1), dim3(1), args, SIZE_MAX, 0)); //~ ERROR invalid-launch: the launch of `add` with 18446744073709551615 bytes of dynam
    SAY(cudaLaunchKernel(kernel, dim3(1), dim3(1), args, 1 << 20, 0)); //~ ERROR invalid-launch: the launch of `add` with 1048576 bytes of dynamic shared mem
    SAY(cudaLaunchKernel(kernel, dim3(1, 1 << 17), dim3(1), args, 0, 0)); //~ ERROR invalid-launch: the launch of `add` with a grid of 1 x 131072 x 1: y is more
    SAY(cudaLaunchKernel(kernel, dim3(1), dim3(1), nullptr, 0, 0));
    SAY(cudaLaunchKernel((const void *)narrow, dim3(1), dim3(128), args, 0, 0)); //~ ERROR invalid-launch: the launch of `narrow` with 128 threads in a block: its `__l
    SAY(cudaLaunchKernel(kernel, dim3(1), dim3(1), args, 0, none)); //~ ERROR api-error: this value is not a stream
    SAY(cudaLaunchKernel(kernel, dim3(1), dim3(1), args, 0, 0));
    SAY(cudaLaunchCooperativeKernel(host, dim3(1), dim3(1), args, 0, 0));
    SAY(cudaLaunchCooperativeKernel(kernel, dim3(0), dim3(1), args, 0, 0)); //~ ERROR invalid-launch: the launch of `add` with a grid of 0 x 1 x 1: x is 0
    SAY(cudaLaunchCooperativeKernel(kernel, dim3(1), dim3(2048), args, 0, 0)); //~ ERROR invalid-launch: the launch of `add` with a block of 2048 x 1 x 1: x is more 
    SAY(cudaLaunchCooperativeKernel(kernel, dim3(1 << 20), dim3(1024), args, 0, 0));
    SAY(cudaLaunchCooperativeKernel((const void *)narrow, dim3(1), dim3(128), args, 0, 0)); //~ ERROR invalid-launch: the launch of `narrow` with 128 threads in a block: its `__l
    SAY(cudaLaunchCooperativeKernel(kernel, dim3(1), dim3(1), args, 0, 0));
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(0);
    SAY(cudaLaunchKernelExC(nullptr, kernel, args));
    SAY(cudaLaunchKernelExC(&config, kernel, args)); //~ ERROR invalid-launch: the launch of `add` with a grid of 0 x 1 x 1: x is 0
    config.gridDim = config.blockDim = dim3(1);
    SAY(cudaLaunchKernelExC(&config, host, args));
    SAY(cudaLaunchKernelExC(&config, kernel, nullptr));
    config.numAttrs = 1;
    SAY(cudaLaunchKernelExC(&config, kernel, args));
    cudaLaunchAttribute attribute = {};
    attribute.id = (cudaLaunchAttributeID)99;
    config.attrs = &attribute;
    SAY(cudaLaunchKernelExC(&config, kernel, args));
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
    config.gridDim = dim3(1 << 20);
    SAY(cudaLaunchKernelExC(&config, kernel, args));
    config.numAttrs = 0;
    config.blockDim = dim3(128);
    config.gridDim = dim3(1);
    SAY(cudaLaunchKernelExC(&config, (const void *)narrow, args)); //~ ERROR invalid-launch: the launch of `narrow` with 128 threads in a block: its `__l
    SAY(cudaLaunchCooperativeKernelMultiDevice(nullptr, 1, 0));

    cudaFuncAttributes about;
    const char *name;
    cudaFunction_t function;
    SAY(cudaFuncGetAttributes(&about, host));
    SAY(cudaFuncGetAttributes(nullptr, kernel));
    SAY(cudaFuncSetAttribute(host, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024));
    SAY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, -1));
    SAY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 30));
    SAY(cudaFuncSetAttribute(kernel, (cudaFuncAttribute)77, 1));
    SAY(cudaFuncSetCacheConfig(host, cudaFuncCachePreferL1));
    SAY(cudaFuncSetCacheConfig(kernel, (cudaFuncCache)9));
    SAY(cudaFuncSetSharedMemConfig(host, cudaSharedMemBankSizeFourByte));
    SAY(cudaFuncSetSharedMemConfig(kernel, (cudaSharedMemConfig)9));
    SAY(cudaFuncGetName(nullptr, kernel));
    SAY(cudaFuncGetName(&name, host));
    SAY(cudaFuncGetParamInfo(kernel, 2, &bytes, &bytes));
    SAY(cudaFuncGetParamInfo(kernel, SIZE_MAX, &bytes, &bytes));
    SAY(cudaFuncGetParamInfo(kernel, 0, nullptr, &bytes));
    SAY(cudaFuncGetParamInfo(host, 0, &bytes, &bytes));
    SAY(cudaGetFuncBySymbol(&function, host));
    SAY(cudaGetFuncBySymbol(nullptr, kernel));

    SAY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, kernel, 64, 0));
    SAY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, host, 64, 0));
    SAY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 0, 0));
    SAY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 64, SIZE_MAX));
    printf("%d blocks\n", blocks);
    SAY(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(nullptr, kernel, 64, 0, 0));
    SAY(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, host, 64, 0, 0));
    SAY(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, kernel, 64, 0, 9));
    SAY(cudaOccupancyAvailableDynamicSMemPerBlock(nullptr, kernel, 1, 64));
    SAY(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, host, 1, 64));
    SAY(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, kernel, 0, 64));
    // A library that is unloaded.
    cudaLibrary_t library;
    cudaKernel_t handle;
    unsigned count;
    void *where;
    cudaLibraryLoadData(&library, "\x7f" "ELF: what the sources hold", nullptr, nullptr, 0, nullptr, nullptr, 0);
    SAY(cudaLibraryUnload(library));
    SAY(cudaLibraryUnload(library)); //~ ERROR api-error: this value is not a module or library, or it was unloaded
    SAY(cudaLibraryGetKernel(&handle, library, "add")); //~ ERROR api-error: this value is not a module or library, or it was unloaded
    SAY(cudaLibraryGetKernelCount(&count, library)); //~ ERROR api-error: this value is not a module or library, or it was unloaded
    SAY(cudaLibraryEnumerateKernels(&handle, 1, library)); //~ ERROR api-error: this value is not a module or library, or it was unloaded
    SAY(cudaLibraryGetGlobal(&where, &bytes, library, "add")); //~ ERROR api-error: this value is not a module or library, or it was unloaded
    SAY(cudaLibraryGetManaged(&where, &bytes, library, "add")); //~ ERROR api-error: this value is not a module or library, or it was unloaded
    SAY(cudaLibraryGetUnifiedFunction(&where, library, "add")); //~ ERROR api-error: this value is not a module or library, or it was unloaded

    // Clusters.
    cudaLaunchConfig_t clusters = {};
    SAY(cudaOccupancyMaxActiveClusters(&blocks, on_host, &clusters));
    SAY(cudaOccupancyMaxActiveClusters(&blocks, add, nullptr));
    SAY(cudaOccupancyMaxPotentialClusterSize(&blocks, on_host, &clusters));
    SAY(cudaOccupancyMaxPotentialClusterSize(&blocks, add, nullptr));

    // The last error is given once.
    SAY(cudaGetLastError());
    SAY(cudaGetLastError());
    cudaFree(d);
}
