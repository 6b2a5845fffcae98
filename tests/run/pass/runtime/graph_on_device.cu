// Graphs that device code launches: behind the one that runs, beside it, and a graph that comes again behind itself.
#include <cstdio>

#define SAY(call) printf("%s: %s\n", #call, cudaGetErrorName(call))

__device__ int turns, log_at, steps[64];

__device__ void note(int what) { steps[atomicAdd(&log_at, 1)] = what; }

__global__ void again(int limit) {
    if (threadIdx.x == 0) {
        note(turns);
        if (++turns < limit)
            cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch);
    }
}

__global__ void add(int *p, int n) {
    *p += n;
    note(n);
}

__global__ void spread(cudaGraphExec_t beside, cudaGraphExec_t first, cudaGraphExec_t second, cudaError_t *errors) {
    note(1000);
    errors[0] = cudaGraphLaunch(first, cudaStreamGraphTailLaunch);
    errors[1] = cudaGraphLaunch(second, cudaStreamGraphTailLaunch);
    errors[2] = cudaGraphLaunch(beside, cudaStreamGraphFireAndForget);
    errors[3] = cudaGetCurrentGraphExec() == nullptr ? cudaSuccess : cudaErrorUnknown;
}
__global__ void last() { note(2000); }
__global__ void outside(bool *none) { *none = cudaGetCurrentGraphExec() == nullptr; }

cudaGraphExec_t adding(int *p, int n, unsigned long long flags) {
    cudaGraph_t graph;
    cudaGraphCreate(&graph, 0);
    void *args[] = {&p, &n};
    cudaKernelNodeParams params = {};
    params.func = (void *)add;
    params.gridDim = 1;
    params.blockDim = 1;
    params.kernelParams = args;
    cudaGraphNode_t node;
    cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params);
    cudaGraphExec_t exec = nullptr;
    SAY(cudaGraphInstantiate(&exec, graph, flags));
    cudaGraphDestroy(graph);
    return exec;
}

void told() {
    int n, all[64];
    cudaMemcpyFromSymbol(&n, log_at, sizeof n);
    cudaMemcpyFromSymbol(all, steps, sizeof all);
    for (int i = 0; i < n; i++)
        printf("%d%c", all[i], i + 1 == n ? '\n' : ' ');
    n = 0;
    cudaMemcpyToSymbol(log_at, &n, sizeof n);
}

int main() {
    int *sum;
    cudaMallocManaged(&sum, sizeof(int));
    *sum = 0;
    cudaStream_t stream;
    cudaStreamCreate(&stream);

    cudaGraph_t graph;
    cudaGraphExec_t loop, host;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    again<<<1, 32, 0, stream>>>(5);
    cudaStreamEndCapture(stream, &graph);
    SAY(cudaGraphInstantiate(&loop, graph, cudaGraphInstantiateFlagDeviceLaunch));
    unsigned long long flags = 0;
    cudaGraphExecGetFlags(loop, &flags);
    printf("%llu\n", flags);
    SAY(cudaGraphLaunch(loop, stream));
    SAY(cudaStreamSynchronize(stream));
    told();
    cudaGraphDestroy(graph);

    cudaGraphExec_t beside = adding(sum, 7, cudaGraphInstantiateFlagDeviceLaunch);
    cudaGraphExec_t first = adding(sum, 20, cudaGraphInstantiateFlagDeviceLaunch);
    cudaGraphExec_t second = adding(sum, 300, cudaGraphInstantiateFlagDeviceLaunch);
    cudaError_t *errors;
    cudaMallocManaged(&errors, 4 * sizeof *errors);
    SAY(cudaGraphUpload(beside, stream));
    SAY(cudaGraphUpload(first, stream));
    SAY(cudaGraphUpload(second, stream));
    cudaStreamSynchronize(stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    spread<<<1, 1, 0, stream>>>(beside, first, second, errors);
    last<<<1, 1, 0, stream>>>();
    cudaStreamEndCapture(stream, &graph);
    SAY(cudaGraphInstantiate(&host, graph, 0));
    SAY(cudaGraphLaunch(host, stream));
    SAY(cudaStreamSynchronize(stream));
    for (int i = 0; i < 4; i++)
        printf("%s ", cudaGetErrorName(errors[i]));
    printf("%d\n", *sum);
    // What is fired may run before or after the last kernel.
    int n = 0, all[8], fired = 0;
    cudaMemcpyFromSymbol(&n, log_at, sizeof n);
    cudaMemcpyFromSymbol(all, steps, sizeof all);
    for (int i = 0; i < n; i++)
        fired += all[i] == 7 && i > 0 && i < 3;
    printf("%d steps, %d, then %d %d, fired %d\n", n, all[0], all[3], all[4], fired);
    bool *none;
    cudaMallocManaged(&none, sizeof *none);
    outside<<<1, 1>>>(none);
    cudaDeviceSynchronize();
    printf("%d\n", *none);

    // What cannot be launched by the device.
    cudaGraph_t empty;
    cudaGraphCreate(&empty, 0);
    cudaGraphExec_t exec;
    cudaGraphNode_t node;
    cudaGraphAddEmptyNode(&node, empty, nullptr, 0);
    SAY(cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagDeviceLaunch | cudaGraphInstantiateFlagAutoFreeOnLaunch));

    cudaGraphExecDestroy(loop);
    cudaGraphExecDestroy(host);
    cudaGraphExecDestroy(beside);
    cudaGraphExecDestroy(first);
    cudaGraphExecDestroy(second);
    cudaGraphDestroy(graph);
    cudaGraphDestroy(empty);
    cudaStreamDestroy(stream);
    cudaFree(sum);
    cudaFree(errors);
    cudaFree(none);
}
