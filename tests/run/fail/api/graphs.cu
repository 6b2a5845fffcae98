// Graphs: what their functions refuse, for each kind of node, and handles that are none or no more.
#include <cstdint>
#include <cstdio>

#define SAY(call) printf("%s: %s\n", #call, cudaGetErrorName(call))

__device__ int word[4];
int of_host[4];
__global__ void add(int *p, int n) { *p += n; }
static void CUDART_CB note(void *) {}

int main() {
    int *d, local[4] = {}, n = 1;
    cudaMalloc(&d, 64);
    cudaMemset(d, 0, 64);
    cudaEvent_t e, e2;
    cudaEventCreate(&e);
    cudaEventCreate(&e2);
    cudaGraph_t g, gone, other, child, got;
    SAY(cudaGraphCreate(nullptr, 0));
    SAY(cudaGraphCreate(&g, 7));
    cudaGraphCreate(&g, 0);
    cudaGraphCreate(&other, 0);
    cudaGraphCreate(&child, 0);
    cudaGraphCreate(&gone, 0);
    cudaGraphDestroy(gone);
    SAY(cudaGraphDestroy(gone)); //~ ERROR api-error: this value is not a graph, or the graph was destroyed
    SAY(cudaGraphDestroy(nullptr)); //~ ERROR api-error: this value is not a graph, or the graph was destroyed
    SAY(cudaGraphClone(nullptr, g));
    SAY(cudaGraphClone(&got, gone)); //~ ERROR api-error: this value is not a graph, or the graph was destroyed
    SAY(cudaGraphClone(&got, nullptr)); //~ ERROR api-error: this value is not a graph, or the graph was destroyed

    // Nodes that are not to be.
    cudaGraphNode_t node, k, copy, fill, host, empty, sub, record, wait, alloc, release, stranger, list[8], to[8];
    cudaKernelNodeParams kernel = {};
    void *args[] = {&d, &n};
    SAY(cudaGraphAddKernelNode(&node, g, nullptr, 0, nullptr));
    SAY(cudaGraphAddKernelNode(&node, g, nullptr, 0, &kernel));
    kernel.func = (void *)add;
    kernel.gridDim = kernel.blockDim = dim3(1);
    kernel.kernelParams = args;
    SAY(cudaGraphAddKernelNode(nullptr, g, nullptr, 0, &kernel));
    SAY(cudaGraphAddKernelNode(&node, gone, nullptr, 0, &kernel)); //~ ERROR api-error: this value is not a graph, or the graph was destroyed
    SAY(cudaGraphAddKernelNode(&node, g, nullptr, 2, &kernel));
    kernel.blockDim = dim3(4096);
    SAY(cudaGraphAddKernelNode(&node, g, nullptr, 0, &kernel)); //~ ERROR invalid-launch: the launch of `add` with a block of 4096 x 1 x 1: x is more 
    kernel.blockDim = dim3(1);
    SAY(cudaGraphAddKernelNode(&k, g, nullptr, 0, &kernel));
    cudaMemcpy3DParms volume = {};
    SAY(cudaGraphAddMemcpyNode(&node, g, nullptr, 0, nullptr));
    SAY(cudaGraphAddMemcpyNode(&node, g, nullptr, 0, &volume));
    volume.srcPtr = make_cudaPitchedPtr(d, 16, 16, 1);
    volume.dstPtr = make_cudaPitchedPtr(d + 8, 16, 16, 1);
    volume.extent = make_cudaExtent(16, 1, 1);
    volume.kind = cudaMemcpyDeviceToDevice;
    SAY(cudaGraphAddMemcpyNode(nullptr, g, nullptr, 0, &volume));
    SAY(cudaGraphAddMemcpyNode(&copy, g, nullptr, 0, &volume));
    SAY(cudaGraphAddMemcpyNode1D(nullptr, g, nullptr, 0, d, local, 4, cudaMemcpyHostToDevice));
    SAY(cudaGraphAddMemcpyNode1D(&node, g, nullptr, 0, d, nullptr, 4, cudaMemcpyHostToDevice)); //~ ERROR null-dereference: read of 4 bytes through a null pointer
    SAY(cudaGraphAddMemcpyNodeToSymbol(nullptr, g, nullptr, 0, word, local, 4, 0, cudaMemcpyHostToDevice));
    SAY(cudaGraphAddMemcpyNodeToSymbol(&node, g, nullptr, 0, of_host, local, 4, 0, cudaMemcpyHostToDevice));
    SAY(cudaGraphAddMemcpyNodeFromSymbol(nullptr, g, nullptr, 0, local, word, 4, 0, cudaMemcpyDeviceToHost));
    SAY(cudaGraphAddMemcpyNodeFromSymbol(&node, g, nullptr, 0, local, word, 4, 99, cudaMemcpyDeviceToHost)); //~ ERROR api-error: a copy of 4 bytes at offset 99 goes outside a variable
    cudaMemsetParams set = {};
    SAY(cudaGraphAddMemsetNode(&node, g, nullptr, 0, nullptr));
    SAY(cudaGraphAddMemsetNode(&node, g, nullptr, 0, &set));
    set.dst = d;
    set.elementSize = 4;
    set.width = 2;
    set.height = 1;
    set.elementSize = 3;
    SAY(cudaGraphAddMemsetNode(&node, g, nullptr, 0, &set));
    set.elementSize = 4;
    SAY(cudaGraphAddMemsetNode(nullptr, g, nullptr, 0, &set));
    SAY(cudaGraphAddMemsetNode(&fill, g, nullptr, 0, &set));
    cudaHostNodeParams call = {};
    SAY(cudaGraphAddHostNode(&node, g, nullptr, 0, nullptr));
    SAY(cudaGraphAddHostNode(&node, g, nullptr, 0, &call));
    call.fn = note;
    SAY(cudaGraphAddHostNode(nullptr, g, nullptr, 0, &call));
    SAY(cudaGraphAddHostNode(&host, g, nullptr, 0, &call));
    SAY(cudaGraphAddEmptyNode(nullptr, g, nullptr, 0));
    SAY(cudaGraphAddEmptyNode(&empty, g, nullptr, 0));
    SAY(cudaGraphAddEmptyNode(&stranger, other, nullptr, 0));
    SAY(cudaGraphAddEmptyNode(&node, g, &stranger, 1)); //~ ERROR api-error: a node of another graph is used with this graph
    SAY(cudaGraphAddChildGraphNode(&node, g, nullptr, 0, gone)); //~ ERROR api-error: this value is not a graph, or the graph was destroyed
    SAY(cudaGraphAddChildGraphNode(nullptr, g, nullptr, 0, child));
    SAY(cudaGraphAddChildGraphNode(&sub, g, nullptr, 0, child));
    SAY(cudaGraphAddEventRecordNode(nullptr, g, nullptr, 0, e));
    SAY(cudaGraphAddEventRecordNode(&node, g, nullptr, 0, (cudaEvent_t)local)); //~ ERROR api-error: this value is not an event
    SAY(cudaGraphAddEventRecordNode(&record, g, nullptr, 0, e));
    SAY(cudaGraphAddEventWaitNode(nullptr, g, nullptr, 0, e));
    SAY(cudaGraphAddEventWaitNode(&node, g, nullptr, 0, nullptr)); //~ ERROR api-error: this value is not an event
    SAY(cudaGraphAddEventWaitNode(&wait, g, nullptr, 0, e));
    cudaMemAllocNodeParams memory = {}, memory_was;
    SAY(cudaGraphAddMemAllocNode(&node, other, nullptr, 0, nullptr));
    SAY(cudaGraphAddMemAllocNode(&node, other, nullptr, 0, &memory));
    memory.poolProps.allocType = cudaMemAllocationTypePinned;
    memory.poolProps.location.type = cudaMemLocationTypeDevice;
    memory.bytesize = SIZE_MAX / 4;
    SAY(cudaGraphAddMemAllocNode(&node, other, nullptr, 0, &memory));
    memory.bytesize = 64;
    SAY(cudaGraphAddMemAllocNode(nullptr, other, nullptr, 0, &memory));
    SAY(cudaGraphAddMemAllocNode(&alloc, other, nullptr, 0, &memory));
    SAY(cudaGraphAddMemFreeNode(nullptr, other, &alloc, 1, memory.dptr));
    SAY(cudaGraphAddMemFreeNode(&node, other, &alloc, 1, nullptr)); //~ ERROR api-error: a graph frees memory that no graph has allocated
    SAY(cudaGraphAddMemFreeNode(&node, other, &alloc, 1, d)); //~ ERROR api-error: a graph frees memory that no graph has allocated
    SAY(cudaGraphAddMemFreeNode(&release, other, &alloc, 1, memory.dptr));
    SAY(cudaGraphAddMemFreeNode(&node, other, &alloc, 1, memory.dptr)); //~ ERROR api-error: a graph frees memory twice
    cudaGraphNodeParams any = {}, changed = {};
    SAY(cudaGraphAddNode(&node, g, nullptr, 0, nullptr));
    any.type = (cudaGraphNodeType)77;
    SAY(cudaGraphAddNode(&node, g, nullptr, 0, &any));
    any.type = cudaGraphNodeTypeKernel;
    SAY(cudaGraphAddNode(&node, g, nullptr, 0, &any));
    SAY(cudaGraphAddNode_v2(&node, g, nullptr, nullptr, 0, nullptr));
    SAY(cudaGraphAddNode_v2(&node, g, nullptr, nullptr, 0, &any));
    any.kernel.func = (void *)add;
    any.kernel.gridDim = any.kernel.blockDim = dim3(1);
    any.kernel.kernelParams = args;
    SAY(cudaGraphAddNode_v2(&node, g, nullptr, nullptr, 1, &any));
    SAY(cudaGraphAddNode_v2(&node, g, nullptr, nullptr, 0, &any));

    // Parameters, asked for and set.
    void *p;
    cudaKernelNodeParams kernel_was;
    cudaMemsetParams set_was;
    cudaHostNodeParams call_was;
    SAY(cudaGraphKernelNodeGetParams(copy, &kernel_was));
    SAY(cudaGraphKernelNodeGetParams(k, nullptr));
    SAY(cudaGraphKernelNodeSetParams(copy, &kernel));
    SAY(cudaGraphKernelNodeSetParams(k, nullptr));
    SAY(cudaGraphMemcpyNodeGetParams(k, &volume));
    SAY(cudaGraphMemcpyNodeGetParams(copy, nullptr));
    SAY(cudaGraphMemcpyNodeSetParams(k, &volume));
    SAY(cudaGraphMemcpyNodeSetParams(copy, nullptr));
    SAY(cudaGraphMemcpyNodeSetParams(copy, &volume));
    SAY(cudaGraphMemcpyNodeSetParams1D(k, d, d + 8, 4, cudaMemcpyDeviceToDevice));
    SAY(cudaGraphMemcpyNodeSetParams1D(copy, d, d + 8, 4, (cudaMemcpyKind)9));
    SAY(cudaGraphMemcpyNodeSetParamsToSymbol(k, word, d, 4, 0, cudaMemcpyDeviceToDevice));
    SAY(cudaGraphMemcpyNodeSetParamsToSymbol(copy, word, d, 4, 99, cudaMemcpyDeviceToDevice)); //~ ERROR api-error: a copy of 4 bytes at offset 99 goes outside a variable
    SAY(cudaGraphMemcpyNodeSetParamsFromSymbol(k, d, word, 4, 0, cudaMemcpyDeviceToDevice));
    SAY(cudaGraphMemcpyNodeSetParamsFromSymbol(copy, d, word, 4, 99, cudaMemcpyDeviceToDevice)); //~ ERROR api-error: a copy of 4 bytes at offset 99 goes outside a variable
    SAY(cudaGraphMemsetNodeGetParams(k, &set_was));
    SAY(cudaGraphMemsetNodeGetParams(fill, nullptr));
    SAY(cudaGraphMemsetNodeSetParams(k, &set));
    SAY(cudaGraphMemsetNodeSetParams(fill, nullptr));
    SAY(cudaGraphHostNodeGetParams(k, &call_was));
    SAY(cudaGraphHostNodeGetParams(host, nullptr));
    SAY(cudaGraphHostNodeSetParams(k, &call));
    SAY(cudaGraphHostNodeSetParams(host, nullptr));
    SAY(cudaGraphChildGraphNodeGetGraph(k, &got));
    SAY(cudaGraphChildGraphNodeGetGraph(sub, nullptr));
    SAY(cudaGraphEventRecordNodeGetEvent(k, &e2));
    SAY(cudaGraphEventRecordNodeGetEvent(record, nullptr));
    SAY(cudaGraphEventRecordNodeSetEvent(wait, e2));
    SAY(cudaGraphEventRecordNodeSetEvent(record, nullptr)); //~ ERROR api-error: this value is not an event
    SAY(cudaGraphEventWaitNodeGetEvent(k, &e2));
    SAY(cudaGraphEventWaitNodeGetEvent(wait, nullptr));
    SAY(cudaGraphEventWaitNodeSetEvent(record, e2));
    SAY(cudaGraphEventWaitNodeSetEvent(wait, nullptr)); //~ ERROR api-error: this value is not an event
    SAY(cudaGraphMemAllocNodeGetParams(alloc, &memory_was));
    printf("%zu bytes, the same place: %d\n", memory_was.bytesize, memory_was.dptr == memory.dptr);
    SAY(cudaGraphMemAllocNodeGetParams(k, &memory_was));
    SAY(cudaGraphMemAllocNodeGetParams(alloc, nullptr));
    SAY(cudaGraphMemFreeNodeGetParams(release, &p));
    printf("the same place: %d\n", p == memory.dptr);
    SAY(cudaGraphMemFreeNodeGetParams(k, &p));
    SAY(cudaGraphMemFreeNodeGetParams(release, nullptr));
    SAY(cudaGraphNodeSetParams(k, nullptr));
    SAY(cudaGraphNodeSetParams(k, &any));
    SAY(cudaGraphNodeSetParams(copy, &any));
    any.kernel.func = nullptr;
    SAY(cudaGraphNodeSetParams(k, &any));
    any.kernel.func = (void *)add;
    cudaLaunchAttributeValue value = {};
    SAY(cudaGraphKernelNodeGetAttribute(copy, cudaLaunchAttributePriority, &value));
    SAY(cudaGraphKernelNodeGetAttribute(k, (cudaLaunchAttributeID)90, &value));
    SAY(cudaGraphKernelNodeGetAttribute(k, cudaLaunchAttributePriority, nullptr));
    SAY(cudaGraphKernelNodeSetAttribute(copy, cudaLaunchAttributePriority, &value));
    SAY(cudaGraphKernelNodeSetAttribute(k, (cudaLaunchAttributeID)90, &value));
    SAY(cudaGraphKernelNodeSetAttribute(k, cudaLaunchAttributePriority, nullptr));
    SAY(cudaGraphKernelNodeCopyAttributes(k, copy));

    // Nodes and edges.
    cudaGraphNodeType type;
    size_t count = 8;
    cudaGraphEdgeData data[8] = {}, odd = {};
    odd.type = 9;
    SAY(cudaGraphNodeGetType(k, nullptr));
    SAY(cudaGraphNodeGetType(nullptr, &type)); //~ ERROR api-error: this value is not a node of a graph, or the node was destroyed
    SAY(cudaGraphGetNodes(g, list, nullptr));
    SAY(cudaGraphGetNodes(gone, list, &count)); //~ ERROR api-error: this value is not a graph, or the graph was destroyed
    SAY(cudaGraphGetRootNodes(g, list, nullptr));
    SAY(cudaGraphGetEdges(g, list, to, nullptr));
    SAY(cudaGraphGetEdges(g, nullptr, to, &count));
    SAY(cudaGraphGetEdges_v2(g, list, to, data, nullptr));
    count = 8;
    SAY(cudaGraphGetEdges_v2(other, list, to, data, &count));
    printf("%zu edge\n", count);
    SAY(cudaGraphNodeGetDependencies(k, list, nullptr));
    SAY(cudaGraphNodeGetDependentNodes(k, list, nullptr));
    SAY(cudaGraphNodeGetDependencies_v2(k, list, data, nullptr));
    SAY(cudaGraphNodeGetDependentNodes_v2(k, list, data, nullptr));
    count = 8;
    SAY(cudaGraphNodeGetDependentNodes_v2(alloc, list, data, &count));
    printf("%zu behind it\n", count);
    SAY(cudaGraphAddDependencies(g, &k, &k, 1));
    SAY(cudaGraphAddDependencies(g, &k, &stranger, 1)); //~ ERROR api-error: a node of another graph is used with this graph
    SAY(cudaGraphAddDependencies(g, nullptr, &k, 1));
    SAY(cudaGraphAddDependencies_v2(g, &k, &copy, &odd, 1));
    SAY(cudaGraphAddDependencies_v2(g, nullptr, nullptr, nullptr, 1));
    SAY(cudaGraphAddDependencies(g, &k, &copy, 1));
    SAY(cudaGraphAddDependencies(g, &k, &copy, 1));
    SAY(cudaGraphAddDependencies(g, &copy, &k, 1));
    SAY(cudaGraphRemoveDependencies(g, &copy, &k, 1));
    SAY(cudaGraphRemoveDependencies_v2(g, &k, &copy, &odd, 1));
    SAY(cudaGraphRemoveDependencies_v2(g, nullptr, nullptr, nullptr, 1));
    SAY(cudaGraphNodeFindInClone(&node, k, g));
    SAY(cudaGraphDestroyNode(nullptr)); //~ ERROR api-error: this value is not a node of a graph, or the node was destroyed
    SAY(cudaGraphDestroyNode(alloc));
    SAY(cudaGraphDebugDotPrint(g, nullptr, 0));
    SAY(cudaGraphDebugDotPrint(gone, "x.dot", 0)); //~ ERROR api-error: this value is not a graph, or the graph was destroyed

    // Executable graphs.
    cudaGraphExec_t exec, exec_gone;
    unsigned long long flags;
    SAY(cudaGraphInstantiate(nullptr, g, 0));
    SAY(cudaGraphInstantiate(&exec, gone, 0)); //~ ERROR api-error: this value is not a graph, or the graph was destroyed
    SAY(cudaGraphInstantiateWithFlags(&exec, g, 0x4000));
    SAY(cudaGraphInstantiateWithFlags(nullptr, g, 0));
    SAY(cudaGraphInstantiateWithParams(&exec, g, nullptr));
    cudaGraphInstantiateParams how = {};
    SAY(cudaGraphInstantiateWithParams(nullptr, g, &how));
    SAY(cudaGraphDestroyNode(host));
    SAY(cudaGraphInstantiateWithParams(&exec, g, &how));
    printf("result %d\n", how.result_out);
    cudaGraphInstantiate(&exec_gone, other, 0);
    cudaGraphExecDestroy(exec_gone);
    SAY(cudaGraphExecDestroy(exec_gone)); //~ ERROR api-error: this value is not an executable graph, or the graph was destroyed
    SAY(cudaGraphExecDestroy(nullptr)); //~ ERROR api-error: this value is not an executable graph, or the graph was destroyed
    SAY(cudaGraphLaunch(exec_gone, 0)); //~ ERROR api-error: this value is not an executable graph, or the graph was destroyed
    SAY(cudaGraphLaunch(exec, (cudaStream_t)local)); //~ ERROR api-error: this value is not a stream
    SAY(cudaGraphUpload(exec_gone, 0)); //~ ERROR api-error: this value is not an executable graph, or the graph was destroyed
    SAY(cudaGraphUpload(exec, (cudaStream_t)local)); //~ ERROR api-error: this value is not a stream
    SAY(cudaGraphExecGetFlags(exec_gone, &flags)); //~ ERROR api-error: this value is not an executable graph, or the graph was destroyed
    SAY(cudaGraphExecGetFlags(exec, nullptr));
    SAY(cudaGraphExecKernelNodeSetParams(exec, copy, &kernel));
    SAY(cudaGraphExecKernelNodeSetParams(exec, k, nullptr));
    SAY(cudaGraphExecMemcpyNodeSetParams(exec, k, &volume));
    SAY(cudaGraphExecMemcpyNodeSetParams(exec, copy, nullptr));
    SAY(cudaGraphExecMemcpyNodeSetParams(exec, copy, &volume));
    SAY(cudaGraphExecMemcpyNodeSetParams1D(exec, k, d, d + 8, 4, cudaMemcpyDeviceToDevice));
    SAY(cudaGraphExecMemcpyNodeSetParams1D(exec, copy, d, d + 8, 4, cudaMemcpyDeviceToDevice));
    SAY(cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, k, word, d, 4, 0, cudaMemcpyDeviceToDevice));
    SAY(cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, copy, word, d, 4, 0, cudaMemcpyDeviceToDevice));
    SAY(cudaGraphExecMemcpyNodeSetParamsFromSymbol(exec, k, d, word, 4, 0, cudaMemcpyDeviceToDevice));
    SAY(cudaGraphExecMemcpyNodeSetParamsFromSymbol(exec, copy, d, word, 4, 0, cudaMemcpyDeviceToDevice));
    SAY(cudaGraphExecMemsetNodeSetParams(exec, k, &set));
    SAY(cudaGraphExecMemsetNodeSetParams(exec, fill, &set));
    SAY(cudaGraphExecHostNodeSetParams(exec, k, &call));
    SAY(cudaGraphExecHostNodeSetParams(exec, k, nullptr));
    SAY(cudaGraphExecChildGraphNodeSetParams(exec, k, child));
    SAY(cudaGraphExecChildGraphNodeSetParams(exec, sub, other));
    SAY(cudaGraphExecEventRecordNodeSetEvent(exec, k, e2));
    SAY(cudaGraphExecEventRecordNodeSetEvent(exec, record, e));
    SAY(cudaGraphExecEventWaitNodeSetEvent(exec, k, e2));
    SAY(cudaGraphExecEventWaitNodeSetEvent(exec, wait, e));
    SAY(cudaGraphExecNodeSetParams(exec, k, nullptr));
    SAY(cudaGraphExecNodeSetParams(exec, copy, &any));
    any.kernel.func = nullptr;
    SAY(cudaGraphExecNodeSetParams(exec, k, &any));
    unsigned enabled;
    SAY(cudaGraphNodeGetEnabled(exec, empty, &enabled));
    SAY(cudaGraphNodeGetEnabled(exec, k, nullptr));
    SAY(cudaGraphNodeSetEnabled(exec, empty, 1));
    cudaGraphNodeParams none = {};
    none.type = cudaGraphNodeTypeEmpty;
    SAY(cudaGraphNodeSetParams(empty, &none));
    SAY(cudaGraphExecNodeSetParams(exec, empty, &none));
    cudaGraphExecUpdateResultInfo about;
    SAY(cudaGraphExecUpdate(exec, gone, &about)); //~ ERROR api-error: this value is not a graph, or the graph was destroyed
    SAY(cudaGraphExecUpdate(exec_gone, g, &about)); //~ ERROR api-error: this value is not an executable graph, or the graph was destroyed
    SAY(cudaGraphExecUpdate(exec, child, &about));

    // User objects.
    cudaUserObject_t object;
    SAY(cudaUserObjectCreate(nullptr, nullptr, note, 1, cudaUserObjectNoDestructorSync));
    SAY(cudaUserObjectCreate(&object, nullptr, note, 0, cudaUserObjectNoDestructorSync));
    SAY(cudaUserObjectCreate(&object, nullptr, note, 1, 0));
    SAY(cudaUserObjectCreate(&object, nullptr, note, 1, cudaUserObjectNoDestructorSync));
    SAY(cudaUserObjectRetain(object, 0));
    SAY(cudaUserObjectRelease(object, 0));
    SAY(cudaUserObjectRelease(object, 9)); //~ ERROR api-error: more references to a user object are released than exist
    SAY(cudaGraphRetainUserObject(g, object, 0, 0));
    SAY(cudaGraphRetainUserObject(g, object, 1, 8));
    SAY(cudaGraphReleaseUserObject(g, object, 1));
    SAY(cudaGraphReleaseUserObject(g, object, 0));
    SAY(cudaUserObjectRelease(object, 1));
    SAY(cudaUserObjectRelease(object, 1)); //~ ERROR api-error: this value is not a user object, or the object was destroyed

    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(g);
    cudaGraphDestroy(other);
    cudaGraphDestroy(child);
    SAY(cudaGraphNodeGetType(k, &type)); //~ ERROR api-error: this value is not a node of a graph, or the node was destroyed
    cudaEventDestroy(e);
    cudaEventDestroy(e2);
    cudaFree(d);
}
