// What a capture forbids, and misuse of graphs, nodes, handles and objects.
// revisions: good allocate launch copy device event circle node body unused unset handle object left twice
#include <cstring>

__global__ void add(int *p, int n) { *p += n; }
__global__ void set(cudaGraphConditionalHandle handle) {
    cudaGraphSetConditional(handle, 0); //[handle]~ ERROR api-error: this value is not a conditional handle
}
static void CUDART_CB gone(void *) {}

int main() {
    int *p, *q;
    cudaMalloc(&p, sizeof(int));
    cudaMemset(p, 0, sizeof(int));
    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaEvent_t event;
    cudaEventCreate(&event);
    cudaGraph_t graph = 0, made;
    cudaError_t error = cudaSuccess;
    cudaGraphExec_t exec;

    error = cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    add<<<1, 1, 0, s>>>(p, 1);
    cudaEventRecord(event, s);
#ifdef REV_allocate
    error = cudaMalloc(&q, 4); //[allocate]~ ERROR api-error: may wait for the device
#endif
#ifdef REV_launch
    add<<<1, 1>>>(p, 1); //[launch]~ ERROR api-error: for the default stream
#endif
#ifdef REV_copy
    int host;
    error = cudaMemcpy(&host, p, sizeof host, cudaMemcpyDeviceToHost); //[copy]~ ERROR api-error: for the default stream
#endif
#ifdef REV_device
    error = cudaDeviceSynchronize(); //[device]~ ERROR api-error: while it is captured
#endif
#ifdef REV_event
    error = cudaEventSynchronize(event); //[event]~ ERROR api-error: this event was recorded in a capture, so the host cannot wait for it or query it
#endif
    error = cudaStreamEndCapture(s, &graph);

    cudaGraphCreate(&made, 0);
    cudaGraphNode_t one, two;
    cudaGraphAddEmptyNode(&one, made, nullptr, 0);
    cudaGraphAddEmptyNode(&two, made, &one, 1);
#ifdef REV_circle
    cudaGraphAddDependencies(made, &two, &one, 1);
    error = cudaGraphInstantiate(&exec, made, 0); //[circle]~ ERROR api-error: the nodes of this graph wait for each other in a cycle
#endif
#ifdef REV_node
    cudaGraphDestroyNode(one);
    error = cudaGraphAddDependencies(made, &one, &two, 1); //[node]~ ERROR api-error: this value is not a node of a graph, or the node was destroyed
#endif
    cudaGraphConditionalHandle handle;
    cudaGraphNodeParams params = {};
#if defined(REV_body) || defined(REV_unused) || defined(REV_unset)
    cudaGraphConditionalHandleCreate(&handle, made);
#ifndef REV_unused
    params.type = cudaGraphNodeTypeConditional;
    params.conditional.handle = handle;
    params.conditional.type = cudaGraphCondTypeIf;
    params.conditional.size = 1;
    cudaGraphAddNode(&two, made, nullptr, 0, &params); //[unset]~ ERROR uninitialized-read: that nothing in this launch
#endif
#ifdef REV_body
    error = cudaGraphDestroy(params.conditional.phGraph_out[0]); //[body]~ ERROR api-error: a graph that belongs to a node cannot be destroyed alone
#endif
    error = cudaGraphInstantiate(&exec, made, 0); //[unused]~ ERROR api-error: a graph has a conditional handle that none of its nodes uses
#ifdef REV_unset
    cudaGraphLaunch(exec, s);
    cudaStreamSynchronize(s);
    cudaGraphExecDestroy(exec);
#endif
#endif
#ifdef REV_handle
    set<<<1, 1>>>(77);
    error = cudaDeviceSynchronize();
#endif
#ifdef REV_object
    cudaUserObject_t object;
    cudaUserObjectCreate(&object, nullptr, gone, 1, cudaUserObjectNoDestructorSync);
    cudaUserObjectRelease(object);
    error = cudaUserObjectRetain(object); //[object]~ ERROR api-error: this value is not a user object, or the object was destroyed
#endif
#if defined(REV_left) || defined(REV_twice)
    cudaMemAllocNodeParams memory;
    memset(&memory, 0, sizeof memory);
    memory.poolProps.allocType = cudaMemAllocationTypePinned;
    memory.poolProps.location.type = cudaMemLocationTypeDevice;
    memory.bytesize = 64;
    cudaGraphAddMemAllocNode(&two, made, nullptr, 0, &memory);
    cudaGraphInstantiate(&exec, made, 0);
#ifdef REV_left
    cudaGraphLaunch(exec, s);
    error = cudaGraphLaunch(exec, s); //[left]~ ERROR api-error: this graph is launched again before the memory of its last launch was freed
    cudaFreeAsync(memory.dptr, s);
    error = cudaGraphLaunch(exec, s);
    cudaFreeAsync(memory.dptr, s);
#else
    cudaGraphExec_t second;
    error = cudaGraphInstantiate(&second, made, 0); //[twice]~ ERROR api-error: instantiated again
#endif
    cudaGraphExecDestroy(exec);
#endif
    cudaGraphDestroy(made);
    if (graph) cudaGraphDestroy(graph);
    cudaEventDestroy(event);
    cudaStreamDestroy(s);
    cudaFree(p);
    (void)q;
    return error == cudaErrorUnknown;
}
