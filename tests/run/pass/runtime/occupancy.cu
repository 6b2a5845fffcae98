// Block sizes that fill a multiprocessor, with shared memory by the block's size; names for the default streams; what
// does nothing here.
#include <cstdio>
#include <cuda.h>
#include <cuda_profiler_api.h>

#define SAY(call) printf("%s: %s\n", #call, cudaGetErrorName(call))
#define TELL(call) printf("%s: %d\n", #call, (int)(call))

__global__ void plain(int *p) { *p += 1; }
__global__ void __launch_bounds__(256) bounded(int *p) { *p += 1; }
__global__ void shared(int *p) {
    extern __shared__ int words[];
    words[threadIdx.x] = 1;
    *p += words[threadIdx.x];
}

static size_t words_of(int threads) { return threads * 64ul; }

int main() {
    int grid = 0, block = 0, blocks = 0, value = 0;
    SAY(cudaOccupancyMaxPotentialBlockSize(&grid, &block, plain));
    printf("%d x %d\n", grid, block);
    SAY(cudaOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, bounded, 0, 0, cudaOccupancyDisableCachingOverride));
    printf("%d x %d\n", grid, block);
    SAY(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, shared, words_of));
    printf("%d x %d\n", grid, block);
    SAY(cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(&grid, &block, shared, words_of, 128, 0));
    printf("%d x %d\n", grid, block);
    SAY(cudaOccupancyMaxPotentialBlockSize((int *)nullptr, &block, plain));

    CUfunction function = nullptr;
    SAY(cudaGetFuncBySymbol((cudaFunction_t *)&function, (const void *)bounded));
    TELL(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 256, 0));
    printf("%d\n", blocks);
    TELL(cuOccupancyMaxPotentialBlockSize(&grid, &block, function, nullptr, 0, 0));
    printf("%d x %d\n", grid, block);
    TELL(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 25));
    TELL(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_NUM_REGS, 25));
    TELL(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function));
    printf("%d\n", value);

    int *p, host = 0;
    cudaMalloc(&p, sizeof(int));
    SAY(cudaMemsetAsync(p, 0, sizeof(int), cudaStreamLegacy));
    plain<<<1, 1, 0, cudaStreamPerThread>>>(p);
    SAY(cudaStreamSynchronize(cudaStreamPerThread));
    void *arguments[] = {&p};
    TELL(cuLaunchCooperativeKernel(function, 1, 1, 1, 1, 1, 1, 0, 0, arguments));
    TELL(cuLaunchCooperativeKernel(function, 1 << 20, 1, 1, 1, 1, 1, 0, 0, arguments));
    SAY(cudaMemcpy(&host, p, sizeof host, cudaMemcpyDeviceToHost));
    printf("%d\n", host);

    SAY(cudaProfilerStart());
    SAY(cudaProfilerStop());
    SAY(cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTargetCurrentDevice,
                                           cudaFlushGPUDirectRDMAWritesToOwner));
    cudaFree(p);
}
