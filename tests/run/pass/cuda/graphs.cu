// Graphs: captured from one stream and from a fork and a join of several, made by hand, launched again and again, with
// other parameters, as children of others.
#include <cstdio>
#include <cstring>

struct Factors {
    int multiply, add;
};

__global__ void step(int* p, Factors f) { p[threadIdx.x] = p[threadIdx.x] * f.multiply + f.add; }
__global__ void sum(const int* a, const int* b, int* out) { out[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x]; }
void CUDART_CB note(void* data) { *(int*)data += 1; }

int main() {
    int *a, *b, *c, host[32], notes = 0;
    cudaMalloc(&a, sizeof host);
    cudaMalloc(&b, sizeof host);
    cudaMalloc(&c, sizeof host);
    cudaStream_t s, t;
    cudaStreamCreate(&s);
    cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
    cudaEvent_t fork, join;
    cudaEventCreate(&fork);
    cudaEventCreate(&join);

    // A fork and a join: nothing runs while it is captured.
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamCaptureStatus status;
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    cudaStreamIsCapturing(s, &status);
    cudaMemsetAsync(a, 0, sizeof host, s);
    cudaEventRecord(fork, s);
    cudaStreamWaitEvent(t, fork, 0);
    cudaMemsetAsync(b, 0, sizeof host, t);
    step<<<1, 32, 0, t>>>(b, Factors{1, 7});
    step<<<1, 32, 0, s>>>(a, Factors{1, 5});
    step<<<1, 32, 0, s>>>(a, Factors{10, 0});
    cudaEventRecord(join, t);
    cudaStreamWaitEvent(s, join, 0);
    sum<<<1, 32, 0, s>>>(a, b, c);
    cudaMemcpyAsync(host, c, sizeof host, cudaMemcpyDeviceToHost, s);
    cudaLaunchHostFunc(s, note, &notes);
    cudaStreamEndCapture(s, &graph);
    size_t count;
    cudaGraphGetNodes(graph, NULL, &count);
    printf("%d %zu %d\n", status == cudaStreamCaptureStatusActive, count, notes);
    cudaGraphInstantiate(&exec, graph, NULL, NULL, 0);
    for (int i = 0; i < 3; i++) {
        host[0] = 0;
        cudaGraphLaunch(exec, s);
        cudaStreamSynchronize(s);
        printf("%d %d %d\n", host[0], host[31], notes);
    }
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);

    // By hand: a fill, a kernel whose argument is a structure, a copy; then another argument.
    cudaGraph_t made, whole;
    cudaGraphNode_t fill, kernel, copy, child, last;
    cudaGraphCreate(&made, 0);
    cudaMemsetParams zeros;
    memset(&zeros, 0, sizeof zeros);
    zeros.dst = a;
    zeros.elementSize = 4;
    zeros.width = 32;
    zeros.height = 1;
    cudaGraphAddMemsetNode(&fill, made, NULL, 0, &zeros);
    Factors factors = {2, 9};
    void* arguments[2] = {&a, &factors};
    cudaKernelNodeParams launch;
    memset(&launch, 0, sizeof launch);
    launch.func = (void*)step;
    launch.gridDim = dim3(1);
    launch.blockDim = dim3(32);
    launch.kernelParams = arguments;
    cudaGraphAddKernelNode(&kernel, made, &fill, 1, &launch);
    cudaGraphAddMemcpyNode1D(&copy, made, &kernel, 1, host, a, sizeof host, cudaMemcpyDeviceToHost);
    factors.add = 1000;
    cudaGraphInstantiate(&exec, made, 0);
    cudaGraphLaunch(exec, t);
    cudaStreamSynchronize(t);
    printf("%d\n", host[7]);
    cudaGraphExecKernelNodeSetParams(exec, kernel, &launch);
    cudaGraphLaunch(exec, t);
    cudaStreamSynchronize(t);
    printf("%d\n", host[7]);
    cudaGraphExecDestroy(exec);

    cudaGraphCreate(&whole, 0);
    cudaGraphAddChildGraphNode(&child, whole, NULL, 0, made);
    cudaHostNodeParams call = {note, &notes};
    cudaGraphAddHostNode(&last, whole, &child, 1, &call);
    cudaGraphInstantiateWithFlags(&exec, whole, 0);
    cudaGraphLaunch(exec, s);
    cudaDeviceSynchronize();
    printf("%d %d\n", host[7], notes);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(made);
    cudaGraphDestroy(whole);
    cudaEventDestroy(fork);
    cudaEventDestroy(join);
    cudaStreamDestroy(s);
    cudaStreamDestroy(t);
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    return 0;
}
