// Conditional nodes of graphs: if, if and else, while, switch, one within another, defaults, bodies filled by captures.
#include <cstdio>
#include <initializer_list>

#define SAY(call) printf("%s: %s\n", #call, cudaGetErrorName(call))

__global__ void decide(const int* p, cudaGraphConditionalHandle handle) { cudaGraphSetConditional(handle, *p); }
enum Word { yes, no, two, tick };
__global__ void say(Word word) {
    const char* texts[] = {"yes", "no", "two", "tick"};
    printf("  %s\n", texts[word]);
}
__global__ void count(int* p, cudaGraphConditionalHandle handle) {
    printf("  %d left\n", --*p);
    if (*p == 0) cudaGraphSetConditional(handle, 0);
}

cudaGraphNode_t add_say(cudaGraph_t graph, Word word, cudaGraphNode_t after = nullptr) {
    cudaGraphNodeParams params = {cudaGraphNodeTypeKernel};
    void* args[] = {&word};
    params.kernel.func = (void*)say;
    params.kernel.gridDim = params.kernel.blockDim = dim3(1);
    params.kernel.kernelParams = args;
    cudaGraphNode_t node;
    cudaGraphAddNode(&node, graph, &after, after ? 1 : 0, &params);
    return node;
}

cudaGraphNode_t add_decide(cudaGraph_t graph, const int* p, cudaGraphConditionalHandle handle) {
    cudaGraphNodeParams params = {cudaGraphNodeTypeKernel};
    void* args[] = {&p, &handle};
    params.kernel.func = (void*)decide;
    params.kernel.gridDim = params.kernel.blockDim = dim3(1);
    params.kernel.kernelParams = args;
    cudaGraphNode_t node;
    cudaGraphAddNode(&node, graph, nullptr, 0, &params);
    return node;
}

cudaGraph_t* add_choice(cudaGraph_t graph, cudaGraphNode_t after, cudaGraphConditionalHandle handle,
                        cudaGraphConditionalNodeType type, unsigned size, cudaGraphNode_t* out = nullptr) {
    cudaGraphNodeParams params = {cudaGraphNodeTypeConditional};
    params.conditional.handle = handle;
    params.conditional.type = type;
    params.conditional.size = size;
    cudaGraphNode_t node;
    cudaError_t error = cudaGraphAddNode(&node, graph, &after, after ? 1 : 0, &params);
    if (error) printf("%s\n", cudaGetErrorName(error));
    if (out) *out = node;
    return params.conditional.phGraph_out;
}

void launch(cudaGraphExec_t exec, int* p, int value) {
    printf(" with %d\n", value);
    cudaMemcpy(p, &value, sizeof value, cudaMemcpyHostToDevice);
    cudaGraphLaunch(exec, 0);
    cudaDeviceSynchronize();
}

int main() {
    int* p;
    cudaMalloc(&p, sizeof *p);
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphConditionalHandle handle, inner;

    printf("if, else, and what comes after\n");
    cudaGraphCreate(&graph, 0);
    SAY(cudaGraphConditionalHandleCreate(&handle, graph));
    cudaGraphNode_t choice;
    cudaGraph_t* bodies = add_choice(graph, add_decide(graph, p, handle), handle, cudaGraphCondTypeIf, 2, &choice);
    add_say(bodies[0], yes);
    add_say(bodies[1], no);
    add_say(graph, tick, choice);
    SAY(cudaGraphInstantiate(&exec, graph));
    for (int v : {1, 0, 7}) launch(exec, p, v);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);

    printf("switch\n");
    cudaGraphCreate(&graph, 0);
    cudaGraphConditionalHandleCreate(&handle, graph);
    bodies = add_choice(graph, add_decide(graph, p, handle), handle, cudaGraphCondTypeSwitch, 3);
    add_say(bodies[0], no);
    add_say(bodies[2], two);
    cudaGraphInstantiate(&exec, graph);
    for (int v : {0, 1, 2, 3}) launch(exec, p, v);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);

    printf("while, by default 1, its body captured; an if in it\n");
    cudaGraphCreate(&graph, 0);
    cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault);
    cudaGraphConditionalHandleCreate(&inner, graph, 1, cudaGraphCondAssignDefault);
    cudaGraph_t body = add_choice(graph, nullptr, handle, cudaGraphCondTypeWhile, 1)[0];
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    SAY(cudaStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal));
    count<<<1, 1, 0, stream>>>(p, handle);
    decide<<<1, 1, 0, stream>>>(p, inner);
    cudaStreamCaptureStatus status;
    cudaGraph_t captured;
    const cudaGraphNode_t* nodes;
    size_t n;
    SAY(cudaStreamGetCaptureInfo_v2(stream, &status, nullptr, &captured, &nodes, &n));
    printf("%d %d %zu\n", status == cudaStreamCaptureStatusActive, captured == body, n);
    cudaGraphNode_t test;
    add_say(add_choice(body, nodes[0], inner, cudaGraphCondTypeIf, 1, &test)[0], yes);
    SAY(cudaStreamUpdateCaptureDependencies(stream, &test, 1, cudaStreamSetCaptureDependencies));
    SAY(cudaStreamEndCapture(stream, nullptr));
    cudaGraphInstantiate(&exec, graph);
    launch(exec, p, 3);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);

    printf("while\n");
    cudaGraphCreate(&graph, 0);
    cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault);
    body = add_choice(graph, nullptr, handle, cudaGraphCondTypeWhile, 1)[0];
    cudaStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal);
    count<<<1, 1, 0, stream>>>(p, handle);
    cudaStreamEndCapture(stream, nullptr);
    cudaGraphInstantiate(&exec, graph);
    for (int v : {3, 1}) launch(exec, p, v);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);

    printf("errors\n");
    cudaGraphCreate(&graph, 0);
    SAY(cudaGraphConditionalHandleCreate(&handle, graph, 0, 2));
    SAY(cudaGraphConditionalHandleCreate(nullptr, graph, 0, 0));
    cudaGraphConditionalHandleCreate(&handle, graph, 0, cudaGraphCondAssignDefault);
    add_choice(graph, nullptr, handle, cudaGraphCondTypeIf, 3);
    add_choice(graph, nullptr, handle, cudaGraphCondTypeIf, 0);
    add_choice(graph, nullptr, handle, cudaGraphCondTypeWhile, 2);
    add_choice(graph, nullptr, handle, (cudaGraphConditionalNodeType)3, 1);
    cudaGraphDestroy(graph);
    SAY(cudaStreamUpdateCaptureDependencies(stream, nullptr, 0, 0));
    SAY(cudaStreamGetCaptureInfo_v2(stream, &status));
    printf("%d\n", status);
    cudaStreamDestroy(stream);
    cudaFree(p);
}
