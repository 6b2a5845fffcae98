// Graphs that allocate and free memory: by nodes, by capture, freed behind the graph, launched again.
#include <cstdio>

__global__ void put(int* p, int n, int value) {
    int t = threadIdx.x;
    if (t < n)
        p[t] = value + t;
}

__global__ void sum(const int* p, int n, int* out) {
    int s = 0;
    for (int i = 0; i < n; i++)
        s += p[i];
    *out += s;
}

size_t used(cudaGraphMemAttributeType which) {
    unsigned long long value = 77;
    cudaDeviceGetGraphMemAttribute(0, which, &value);
    return value;
}

int main() {
    int *out, host = 0;
    cudaMalloc(&out, sizeof(int));
    cudaMemset(out, 0, sizeof(int));
    cudaDeviceSynchronize();
    cudaStream_t s;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);

    // By nodes.
    cudaGraph_t graph;
    cudaGraphCreate(&graph, 0);
    cudaMemAllocNodeParams params = {};
    params.poolProps.allocType = cudaMemAllocationTypePinned;
    params.poolProps.location.type = cudaMemLocationTypeDevice;
    params.bytesize = 32 * sizeof(int);
    cudaGraphNode_t alloc, fill, add, free_node;
    printf("%d", cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params));
    int *memory = (int*)params.dptr, n = 32, value = 1;
    cudaKernelNodeParams kernel = {};
    void* fill_args[] = {&memory, &n, &value};
    kernel.func = (void*)put;
    kernel.gridDim = dim3(1);
    kernel.blockDim = dim3(32);
    kernel.kernelParams = fill_args;
    cudaGraphAddKernelNode(&fill, graph, &alloc, 1, &kernel);
    void* add_args[] = {&memory, &n, &out};
    kernel.func = (void*)sum;
    kernel.blockDim = dim3(1);
    kernel.kernelParams = add_args;
    cudaGraphAddKernelNode(&add, graph, &fill, 1, &kernel);
    printf(" %d\n", cudaGraphAddMemFreeNode(&free_node, graph, &add, 1, memory));
    cudaGraphExec_t exec;
    cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0);
    for (int i = 0; i < 3; i++)
        cudaGraphLaunch(exec, s);
    cudaStreamSynchronize(s);
    cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d: %zu of %zu in use\n", host, used(cudaGraphMemAttrUsedMemCurrent), used(cudaGraphMemAttrUsedMemHigh));
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);

    // By capture, and freed by the stream behind it.
    int* captured;
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    cudaMallocAsync(&captured, 16 * sizeof(int), s);
    put<<<1, 16, 0, s>>>(captured, 16, 10);
    cudaStreamEndCapture(s, &graph);
    cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0);
    for (int i = 0; i < 2; i++) {
        cudaGraphLaunch(exec, s);
        sum<<<1, 1, 0, s>>>(captured, 16, out);
        cudaFreeAsync(captured, s);
    }
    cudaGraphLaunch(exec, s);
    cudaStreamSynchronize(s);
    cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d: %zu in use", host, used(cudaGraphMemAttrUsedMemCurrent));
    printf(" %d", cudaFree(captured));
    printf(" %zu", used(cudaGraphMemAttrUsedMemCurrent));
    unsigned long long zero = 0;
    printf(" %d", cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &zero));
    printf(" %zu", used(cudaGraphMemAttrUsedMemHigh));
    printf(" %d", cudaDeviceGraphMemTrim(0));
    printf(" %zu\n", used(cudaGraphMemAttrReservedMemCurrent));
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(s);
    cudaFree(out);
}
