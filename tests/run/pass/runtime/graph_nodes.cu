// Graphs: nodes of every kind, their edges, what each describes and what changes it, and what is refused.
#include <cstdio>
#include <cstring>

#define SAY(call) printf("%s: %s\n", #call, cudaGetErrorName(call))

__device__ int table[4];
__global__ void add(int *p, int n) { *p += n; }
__global__ void twice(int *p, int) { *p *= 2; }
static void CUDART_CB note(void *word) { *(int *)word += 100; }

static size_t count(cudaGraph_t g, cudaError_t (*ask)(cudaGraph_t, cudaGraphNode_t *, size_t *)) {
    size_t n = 77;
    return ask(g, nullptr, &n) == cudaSuccess ? n : 99;
}

static cudaGraphNodeType type_of(cudaGraphNode_t node) {
    cudaGraphNodeType type = cudaGraphNodeTypeCount;
    cudaGraphNodeGetType(node, &type);
    return type;
}

int main() {
    int *p, host[4] = {1, 2, 3, 4}, word = 0;
    cudaMalloc(&p, 4 * sizeof(int));
    cudaGraph_t g;
    SAY(cudaGraphCreate(&g, 0));
    SAY(cudaGraphCreate(&g, 1));
    SAY(cudaGraphCreate(nullptr, 0));

    // Nodes.
    cudaGraphNode_t empty, fill, kernel, copy, call, to, from, record, wait, child;
    SAY(cudaGraphAddEmptyNode(&empty, g, nullptr, 0));
    SAY(cudaGraphAddEmptyNode(nullptr, g, nullptr, 0));
    SAY(cudaGraphAddEmptyNode(&child, g, nullptr, 1));
    cudaMemsetParams pattern = {};
    pattern.dst = p;
    pattern.value = 0x01020304;
    pattern.elementSize = 4;
    pattern.width = 4;
    pattern.height = 1;
    SAY(cudaGraphAddMemsetNode(&fill, g, &empty, 1, &pattern));
    pattern.elementSize = 3;
    SAY(cudaGraphAddMemsetNode(&child, g, &empty, 1, &pattern));
    int n = 5;
    void *arguments[] = {&p, &n};
    cudaKernelNodeParams launch = {};
    launch.func = (void *)add;
    launch.gridDim = dim3(1);
    launch.blockDim = dim3(1);
    launch.kernelParams = arguments;
    SAY(cudaGraphAddKernelNode(&kernel, g, &fill, 1, &launch));
    launch.func = nullptr;
    SAY(cudaGraphAddKernelNode(&child, g, &fill, 1, &launch));
    SAY(cudaGraphAddMemcpyNode1D(&copy, g, &kernel, 1, host, p, sizeof host, cudaMemcpyDeviceToHost));
    cudaHostNodeParams host_call = {note, &word};
    SAY(cudaGraphAddHostNode(&call, g, &copy, 1, &host_call));
    SAY(cudaGraphAddMemcpyNodeToSymbol(&to, g, &copy, 1, table, host, 8, 4, cudaMemcpyHostToDevice));
    SAY(cudaGraphAddMemcpyNodeToSymbol(&child, g, &copy, 1, p, host, 8, 4, cudaMemcpyHostToDevice));
    SAY(cudaGraphAddMemcpyNodeFromSymbol(&from, g, &to, 1, host + 2, table, 4, 8, cudaMemcpyDeviceToHost));
    cudaEvent_t before, after, found;
    cudaEventCreate(&before);
    cudaEventCreate(&after);
    SAY(cudaGraphAddEventRecordNode(&record, g, &from, 1, before));
    SAY(cudaGraphAddEventWaitNode(&wait, g, &record, 1, before));
    printf("types %d %d %d %d %d %d %d %d %d\n", type_of(empty), type_of(fill), type_of(kernel), type_of(copy),
           type_of(call), type_of(to), type_of(from), type_of(record), type_of(wait));
    printf("nodes %zu roots %zu\n", count(g, cudaGraphGetNodes), count(g, cudaGraphGetRootNodes));

    // Edges.
    cudaGraphNode_t list[16], ends[16];
    size_t many = 16;
    SAY(cudaGraphGetEdges(g, list, ends, &many));
    printf("edges %zu, the first from empty to fill: %d\n", many, list[0] == empty && ends[0] == fill);
    many = 2;
    SAY(cudaGraphGetNodes(g, list, &many));
    printf("%zu of them: %d\n", many, list[0] == empty && list[1] == fill);
    many = 16;
    SAY(cudaGraphNodeGetDependencies(kernel, list, &many));
    printf("kernel waits for %zu: %d\n", many, list[0] == fill);
    many = 16;
    SAY(cudaGraphNodeGetDependentNodes(copy, list, &many));
    printf("behind copy %zu: %d, the rest is null: %d\n", many, list[0] == call && list[1] == to, list[2] == nullptr);
    SAY(cudaGraphAddDependencies(g, &call, &from, 1));
    SAY(cudaGraphAddDependencies(g, &call, &from, 1));
    SAY(cudaGraphAddDependencies(g, &call, &call, 1));
    SAY(cudaGraphRemoveDependencies(g, &call, &to, 1));
    SAY(cudaGraphRemoveDependencies(g, &call, &from, 1));
    cudaGraphEdgeData data = {}, told[16];
    data.type = cudaGraphDependencyTypeProgrammatic;
    SAY(cudaGraphAddDependencies_v2(g, &call, &wait, &data, 1));
    many = 16;
    SAY(cudaGraphNodeGetDependencies(wait, list, &many));
    many = 16;
    SAY(cudaGraphNodeGetDependencies_v2(wait, list, nullptr, &many));
    many = 16;
    SAY(cudaGraphNodeGetDependentNodes_v2(call, list, nullptr, &many));
    many = 16;
    SAY(cudaGraphGetEdges_v2(g, list, ends, nullptr, &many));
    many = 16;
    SAY(cudaGraphNodeGetDependencies_v2(wait, list, told, &many));
    printf("edges of types %d %d\n", told[0].type, told[1].type);
    SAY(cudaGraphRemoveDependencies_v2(g, &call, &wait, &data, 1));

    // What describes them.
    cudaKernelNodeParams was = {};
    SAY(cudaGraphKernelNodeGetParams(kernel, &was));
    printf("kernel: %d %u %u, n %d\n", was.func == (void *)add, was.gridDim.x, was.blockDim.x,
           *(int *)was.kernelParams[1]);
    SAY(cudaGraphKernelNodeGetParams(fill, &was));
    cudaMemsetParams filled = {};
    SAY(cudaGraphMemsetNodeGetParams(fill, &filled));
    printf("fill: %#x %u %zu %zu %d\n", filled.value, filled.elementSize, filled.width, filled.height, filled.dst == p);
    cudaHostNodeParams called = {};
    SAY(cudaGraphHostNodeGetParams(call, &called));
    printf("call: %d %d\n", called.fn == note, called.userData == &word);
    cudaMemcpy3DParms moved = {};
    SAY(cudaGraphMemcpyNodeGetParams(copy, &moved));
    printf("copy: %d %d %zu %zu %zu, kind %d\n", moved.srcPtr.ptr == p, moved.dstPtr.ptr == host, moved.extent.width,
           moved.extent.height, moved.extent.depth, moved.kind);
    SAY(cudaGraphEventRecordNodeGetEvent(record, &found));
    printf("%d\n", found == before);
    SAY(cudaGraphEventWaitNodeSetEvent(wait, after));
    SAY(cudaGraphEventWaitNodeGetEvent(wait, &found));
    printf("%d\n", found == after);
    SAY(cudaGraphEventRecordNodeSetEvent(record, after));

    // It runs: 0x01020304 + 5, and so on.
    cudaGraphExec_t exec;
    SAY(cudaGraphInstantiateWithFlags(&exec, g, 0));
    SAY(cudaGraphLaunch(exec, 0));
    SAY(cudaDeviceSynchronize());
    printf("%#x %#x %#x %#x, %d\n", host[0], host[1], host[2], host[3], word);

    // Changed: the graph, not what was made of it.
    n = 1000;
    launch.func = (void *)twice;
    SAY(cudaGraphKernelNodeSetParams(kernel, &launch));
    filled.value = 3;
    SAY(cudaGraphMemsetNodeSetParams(fill, &filled));
    SAY(cudaGraphMemcpyNodeSetParams1D(copy, host + 1, p, 4, cudaMemcpyDeviceToHost));
    SAY(cudaGraphMemcpyNodeSetParamsToSymbol(to, table, host + 1, 4, 0, cudaMemcpyHostToDevice));
    SAY(cudaGraphMemcpyNodeSetParamsFromSymbol(from, host + 3, table, 4, 0, cudaMemcpyDeviceToHost));
    int other = 0;
    host_call.userData = &other;
    SAY(cudaGraphHostNodeSetParams(call, &host_call));
    memset(host, 0, sizeof host);
    cudaGraphLaunch(exec, 0);
    cudaDeviceSynchronize();
    printf("%#x %#x %#x %#x, %d %d\n", host[0], host[1], host[2], host[3], word, other);
    SAY(cudaGraphExecDestroy(exec));
    SAY(cudaGraphInstantiate(&exec, g, 0));
    memset(host, 0, sizeof host);
    cudaGraphLaunch(exec, 0);
    cudaDeviceSynchronize();
    printf("%#x %#x %#x %#x, %d %d\n", host[0], host[1], host[2], host[3], word, other);
    SAY(cudaGraphExecDestroy(exec));

    // Gone: a node with its edges.
    SAY(cudaGraphDestroyNode(call));
    printf("nodes %zu\n", count(g, cudaGraphGetNodes));
    // In a circle.
    SAY(cudaGraphAddDependencies(g, &from, &fill, 1));
    cudaGraphInstantiateParams how = {};
    SAY(cudaGraphInstantiateWithParams(&exec, g, &how));
    printf("result %d, a node of it: %d\n", how.result_out, how.errNode_out == fill);
    SAY(cudaGraphDestroy(g));

    // Attributes of kernels.
    cudaGraphCreate(&g, 0);
    cudaGraphNode_t one, two;
    launch.func = (void *)add;
    cudaGraphAddKernelNode(&one, g, nullptr, 0, &launch);
    cudaGraphAddKernelNode(&two, g, &one, 1, &launch);
    cudaLaunchAttributeValue value = {};
    value.priority = -2;
    SAY(cudaGraphKernelNodeSetAttribute(one, cudaLaunchAttributePriority, &value));
    SAY(cudaGraphKernelNodeCopyAttributes(two, one));
    value.priority = 9;
    SAY(cudaGraphKernelNodeGetAttribute(two, cudaLaunchAttributePriority, &value));
    printf("priority %d\n", value.priority);
    SAY(cudaGraphKernelNodeGetAttribute(two, cudaLaunchAttributeIgnore, &value));
    cudaGraphDestroy(g);
    cudaEventDestroy(before);
    cudaEventDestroy(after);
    cudaFree(p);
}
