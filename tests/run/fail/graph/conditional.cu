// Conditional nodes: a condition that nothing sets, a body that races with
// another stream, a handle of two nodes, of none, of another graph and of no graph, what a body cannot hold.
// revisions: good unset race twice unused stranger wild host destroyed
#include <cstdio>

__global__ void add(int* p) { p[threadIdx.x] += 1; }
//[race]~^ ERROR global-race
//[race]~^^ ERROR global-race
__global__ void set(cudaGraphConditionalHandle handle) { cudaGraphSetConditional(handle, 1); }
//[wild]~^ ERROR api-error: this value is not a conditional handle

void call(void*) {}

cudaGraph_t choice(cudaGraph_t graph, cudaGraphConditionalHandle handle) {
    cudaGraphNodeParams params = {cudaGraphNodeTypeConditional};
    params.conditional.handle = handle;
    params.conditional.type = cudaGraphCondTypeIf;
    params.conditional.size = 1;
    cudaGraphNode_t node;
    cudaError_t error = cudaGraphAddNode(&node, graph, nullptr, 0, &params);
    //[unset]~^ ERROR uninitialized-read: nothing in this launch
    //[twice]~^^ ERROR api-error: used by a second node
    //[stranger]~^^^ ERROR api-error: a conditional handle of another graph is used in this graph
    //[race]~^^^^ RELATED global-race
    printf("%s\n", cudaGetErrorName(error));
    return error ? nullptr : params.conditional.phGraph_out[0];
}

int main() {
    int* p;
    cudaMalloc(&p, 128);
    cudaMemset(p, 0, 128);
    cudaDeviceSynchronize();
    cudaGraph_t graph, other;
    cudaGraphCreate(&graph, 0);
    cudaGraphCreate(&other, 0);
    cudaGraphConditionalHandle handle;
#ifdef REV_unset
    cudaGraphConditionalHandleCreate(&handle, graph);
#else
    cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault);
#endif
#ifdef REV_stranger
    choice(other, handle);
#endif
#ifndef REV_unused
    cudaGraph_t body = choice(graph, handle);
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal);
    add<<<1, 32, 0, stream>>>(p);
#ifdef REV_host
    cudaLaunchHostFunc(stream, call, nullptr);
#endif
    cudaStreamEndCapture(stream, nullptr);
#endif
#ifdef REV_twice
    choice(graph, handle);
#endif
#ifdef REV_destroyed
    printf("%s\n", cudaGetErrorName(cudaGraphDestroy(body))); //[destroyed]~ ERROR api-error: a graph that belongs to a node cannot be destroyed alone
#endif
    cudaGraphExec_t exec;
    cudaError_t error = cudaGraphInstantiate(&exec, graph);
    //[unused]~^ ERROR api-error: a graph has a conditional handle that none of its nodes uses
    //[host]~^^ ERROR api-error: has a node of kind host
    printf("%s\n", cudaGetErrorName(error));
    if (!error) {
        cudaGraphLaunch(exec, 0);
#ifdef REV_race
        add<<<1, 32, 0, stream>>>(p); //[race]~ RELATED global-race
#endif
#ifdef REV_wild
        set<<<1, 1>>>(handle + 1);
#endif
        cudaDeviceSynchronize();
        int first;
        cudaMemcpy(&first, p, sizeof first, cudaMemcpyDeviceToHost);
        printf("%d\n", first);
        cudaGraphExecDestroy(exec);
    }
    cudaGraphDestroy(graph);
    cudaGraphDestroy(other);
    cudaFree(p);
}
