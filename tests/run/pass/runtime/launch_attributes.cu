// Launches by a configuration: shape, shared memory, stream, and what attributes ask for.
#include <cstdio>

#define SAY(call) printf("%s: %s\n", #call, cudaGetErrorName(call))

struct Pair {
    int first, second;
};

__global__ void sum(int *p, Pair pair, long long scale) {
    extern __shared__ int words[];
    words[threadIdx.x] = pair.first + pair.second;
    atomicAdd(p, words[threadIdx.x] * (int)scale);
}
__global__ void nothing() {}

int main() {
    int *p, host = 0;
    cudaMalloc(&p, sizeof(int));
    cudaMemset(p, 0, sizeof(int));
    cudaDeviceSynchronize();
    cudaStream_t s;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaEvent_t done, begun;
    cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&begun, cudaEventDisableTiming);

    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(2);
    config.blockDim = dim3(4);
    config.dynamicSmemBytes = 4 * sizeof(int);
    config.stream = s;
    // An int becomes the kernel's long long.
    SAY(cudaLaunchKernelEx(&config, sum, p, Pair{1, 2}, 10));
    cudaLaunchAttribute attributes[4] = {};
    attributes[0].id = cudaLaunchAttributeCooperative;
    attributes[0].val.cooperative = 1;
    attributes[1].id = cudaLaunchAttributePriority;
    attributes[1].val.priority = -1;
    attributes[2].id = cudaLaunchAttributeLaunchCompletionEvent;
    attributes[2].val.launchCompletionEvent.event = done;
    attributes[3].id = cudaLaunchAttributeProgrammaticEvent;
    attributes[3].val.programmaticEvent.event = begun;
    config.attrs = attributes;
    config.numAttrs = 4;
    Pair pair = {3, 4};
    long long scale = 100;
    void *arguments[] = {&p, &pair, &scale};
    SAY(cudaLaunchKernelExC(&config, (const void *)sum, arguments));
    SAY(cudaEventSynchronize(done));
    SAY(cudaEventSynchronize(begun));
    SAY(cudaMemcpy(&host, p, sizeof host, cudaMemcpyDeviceToHost));
    printf("%d\n", host);

    config.gridDim = dim3(1000000);
    SAY(cudaLaunchKernelExC(&config, (const void *)sum, arguments));
    config.gridDim = dim3(1);
    config.numAttrs = 1;
    attributes[0].id = cudaLaunchAttributeClusterDimension;
    attributes[0].val.clusterDim.x = attributes[0].val.clusterDim.y = attributes[0].val.clusterDim.z = 1;
    SAY(cudaLaunchKernelEx(&config, nothing));
    attributes[0].id = (cudaLaunchAttributeID)77;
    SAY(cudaLaunchKernelEx(&config, nothing));
    config.attrs = nullptr;
    SAY(cudaLaunchKernelEx(&config, nothing));
    SAY(cudaLaunchKernelExC(nullptr, (const void *)nothing, nullptr));
    SAY(cudaLaunchKernelExC(&config, nullptr, nullptr));
    config.numAttrs = 0;
    SAY(cudaLaunchKernelExC(&config, nullptr, nullptr));
    SAY(cudaStreamSynchronize(s));
    cudaEventDestroy(done);
    cudaEventDestroy(begun);
    cudaStreamDestroy(s);
    cudaFree(p);
}
