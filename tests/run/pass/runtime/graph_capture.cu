// Capture: what it tells of itself, captures into a graph that there is, other dependencies, events as nodes, graphs
// launched in it, and what it forbids.
#include <cstdio>

#define SAY(call) printf("%s: %s\n", #call, cudaGetErrorName(call))

__global__ void add(int *p, int n) { *p += n; }

static size_t nodes(cudaGraph_t g) {
    size_t n = 77;
    cudaGraphGetNodes(g, nullptr, &n);
    return n;
}

int main() {
    int *p, value = 0;
    cudaMalloc(&p, sizeof(int));
    cudaMemset(p, 0, sizeof(int));
    cudaDeviceSynchronize();
    cudaStream_t s, t;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
    cudaGraph_t g, same;
    cudaGraphExec_t exec, inner;

    // What it tells.
    cudaStreamCaptureStatus status;
    unsigned long long id = 0, again = 0;
    const cudaGraphNode_t *before;
    size_t count = 77;
    SAY(cudaStreamGetCaptureInfo(s, &status));
    printf("status %d\n", status);
    SAY(cudaStreamBeginCapture(s, (cudaStreamCaptureMode)7));
    SAY(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    SAY(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    add<<<1, 1, 0, s>>>(p, 1);
    SAY(cudaStreamGetCaptureInfo_v2(s, &status, &id, &g, &before, &count));
    printf("status %d, nodes %zu, waits for %zu\n", status, nodes(g), count);
    // The next kernel stands beside the first instead of behind it: another buffer would be needed to run it so.
    cudaGraphNode_t first = before[0], last;
    SAY(cudaStreamUpdateCaptureDependencies(s, nullptr, 0, cudaStreamSetCaptureDependencies));
    SAY(cudaGraphAddEmptyNode(&last, g, &first, 1));
    SAY(cudaStreamUpdateCaptureDependencies(s, &last, 1, cudaStreamAddCaptureDependencies));
    add<<<1, 1, 0, s>>>(p, 10);
    cudaStreamGetCaptureInfo_v2(s, &status, &again, nullptr, &before, &count);
    printf("the same capture: %d, waits for %zu\n", id == again, count);
    SAY(cudaStreamEndCapture(s, &same));
    printf("the same graph: %d, nodes %zu\n", g == same, nodes(g));
    SAY(cudaStreamEndCapture(s, &same));
    SAY(cudaGraphInstantiate(&inner, g, 0));

    // Into a graph that there is, which a launch of another becomes a child of; events that are nodes.
    cudaEvent_t event;
    cudaEventCreate(&event);
    cudaGraph_t outer;
    cudaGraphCreate(&outer, 0);
    cudaGraphAddEmptyNode(&first, outer, nullptr, 0);
    SAY(cudaStreamBeginCaptureToGraph(s, outer, &first, nullptr, 1, cudaStreamCaptureModeThreadLocal));
    SAY(cudaGraphLaunch(inner, s));
    SAY(cudaEventRecordWithFlags(event, s, cudaEventRecordExternal));
    SAY(cudaStreamWaitEvent(s, event, cudaEventWaitExternal));
    SAY(cudaStreamEndCapture(s, &same));
    printf("the same graph: %d, nodes %zu\n", outer == same, nodes(outer));
    cudaGraphNode_t all[4];
    count = 4;
    cudaGraphGetNodes(outer, all, &count);
    for (cudaGraphNode_t node : all) {
        cudaGraphNodeType type;
        cudaGraphNodeGetType(node, &type);
        printf("type %d\n", type);
    }
    cudaGraphInstantiate(&exec, outer, 0);
    SAY(cudaEventQuery(event));
    for (int i = 0; i < 2; ++i)
        cudaGraphLaunch(exec, t);
    SAY(cudaEventQuery(event));
    SAY(cudaStreamSynchronize(t));
    SAY(cudaEventQuery(event));
    cudaMemcpy(&value, p, sizeof value, cudaMemcpyDeviceToHost);
    printf("%d\n", value);
    SAY(cudaEventRecordWithFlags(event, s, cudaEventRecordExternal));

    // How a thread captures.
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    SAY(cudaThreadExchangeStreamCaptureMode(&mode));
    printf("mode was %d\n", mode);
    SAY(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    int *q;
    SAY(cudaMalloc(&q, 4));
    SAY(cudaFree(q));
    SAY(cudaStreamEndCapture(s, &same));
    cudaGraphDestroy(same);
    SAY(cudaThreadExchangeStreamCaptureMode(&mode));
    printf("mode was %d\n", mode);
    SAY(cudaThreadExchangeStreamCaptureMode(nullptr));

    cudaGraphExecDestroy(exec);
    cudaGraphExecDestroy(inner);
    cudaGraphDestroy(outer);
    cudaGraphDestroy(g);
    cudaEventDestroy(event);
    cudaStreamDestroy(s);
    cudaStreamDestroy(t);
    cudaFree(p);
}
