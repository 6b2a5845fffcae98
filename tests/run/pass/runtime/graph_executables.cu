// Executable graphs: changed one by one and as a whole, nodes switched off, clones and children, user objects.
#include <cstdio>
#include <cstring>

#define SAY(call) printf("%s: %s\n", #call, cudaGetErrorName(call))

__global__ void add(int *p, int n) { *p += n; }
__global__ void multiply(int *p, int n) { *p *= n; }
static void CUDART_CB note(void *word) { *(int *)word += 100; }
static void CUDART_CB gone(void *name) { printf("gone: %s\n", (const char *)name); }

static int *p;

static cudaKernelNodeParams calls(void (*f)(int *, int), int &n, void **arguments) {
    arguments[0] = &p;
    arguments[1] = &n;
    cudaKernelNodeParams launch = {};
    launch.func = (void *)f;
    launch.gridDim = dim3(1);
    launch.blockDim = dim3(1);
    launch.kernelParams = arguments;
    return launch;
}

static int run(cudaGraphExec_t exec, cudaStream_t s) {
    int value = 1;
    cudaMemcpy(p, &value, sizeof value, cudaMemcpyHostToDevice);
    printf("%s: ", cudaGetErrorName(cudaGraphLaunch(exec, s)));
    cudaStreamSynchronize(s);
    cudaMemcpy(&value, p, sizeof value, cudaMemcpyDeviceToHost);
    return value;
}

int main() {
    cudaMalloc(&p, sizeof(int));
    cudaStream_t s;
    cudaStreamCreate(&s);
    int five = 5, three = 3, word = 0;
    void *a[2], *b[2];
    cudaKernelNodeParams first = calls(add, five, a), second = calls(multiply, three, b);
    cudaGraph_t g;
    cudaGraphCreate(&g, 0);
    cudaGraphNode_t one, two, call;
    cudaGraphAddKernelNode(&one, g, nullptr, 0, &first);
    cudaGraphAddKernelNode(&two, g, &one, 1, &second);
    cudaHostNodeParams host_call = {note, &word};
    cudaGraphAddHostNode(&call, g, &two, 1, &host_call);
    cudaGraphExec_t exec;
    SAY(cudaGraphInstantiate(&exec, g, cudaGraphInstantiateFlagUseNodePriority));
    unsigned long long flags = 77;
    SAY(cudaGraphExecGetFlags(exec, &flags));
    SAY(cudaGraphUpload(exec, s));
    printf("flags %llu\n", flags);
    printf("%d\n", run(exec, s));
    SAY(cudaGraphInstantiate(&exec, g, 99));

    // One node: (1 + 7) * 3
    five = 7;
    SAY(cudaGraphExecKernelNodeSetParams(exec, one, &first));
    printf("%d\n", run(exec, s));
    SAY(cudaGraphExecMemsetNodeSetParams(exec, one, nullptr));
    int other = 0;
    host_call.userData = &other;
    SAY(cudaGraphExecHostNodeSetParams(exec, call, &host_call));
    unsigned on = 9;
    SAY(cudaGraphNodeSetEnabled(exec, two, 0));
    SAY(cudaGraphNodeGetEnabled(exec, two, &on));
    printf("%u, %d", on, run(exec, s));
    printf(" %d %d\n", word, other);
    SAY(cudaGraphNodeSetEnabled(exec, call, 0));
    SAY(cudaGraphNodeSetEnabled(exec, two, 1));
    cudaGraphNodeParams any = {};
    any.type = cudaGraphNodeTypeKernel;
    any.kernel.func = (void *)add;
    any.kernel.gridDim = dim3(1);
    any.kernel.blockDim = dim3(1);
    any.kernel.kernelParams = b;
    SAY(cudaGraphExecNodeSetParams(exec, two, &any));
    printf("%d\n", run(exec, s));

    // As a whole, from a graph of the same form.
    cudaGraph_t clone;
    SAY(cudaGraphClone(&clone, g));
    cudaGraphNode_t copy;
    SAY(cudaGraphNodeFindInClone(&copy, two, clone));
    SAY(cudaGraphNodeFindInClone(&copy, copy, g));
    cudaGraphNodeFindInClone(&copy, two, clone);
    three = 11;
    SAY(cudaGraphKernelNodeSetParams(copy, &second));
    cudaGraphExecUpdateResultInfo result = {};
    SAY(cudaGraphExecUpdate(exec, clone, &result));
    printf("result %d, %d\n", result.result, run(exec, s));
    cudaGraphNode_t more;
    cudaGraphAddEmptyNode(&more, clone, nullptr, 0);
    SAY(cudaGraphExecUpdate(exec, clone, &result));
    printf("result %d, node %d\n", result.result, result.errorNode != nullptr);
    cudaGraphDestroyNode(more);
    cudaGraphNodeFindInClone(&more, call, clone);
    cudaGraphDestroyNode(more);
    cudaGraphAddEmptyNode(&more, clone, &copy, 1);
    SAY(cudaGraphExecUpdate(exec, clone, &result));
    printf("result %d, the new one: %d\n", result.result, result.errorNode == more);
    SAY(cudaGraphExecDestroy(exec));

    // A child is a copy: what its original becomes later does not matter, what the copy becomes does.
    cudaGraph_t outer, inner;
    cudaGraphCreate(&outer, 0);
    cudaGraphNode_t child, in[4];
    SAY(cudaGraphAddChildGraphNode(&child, outer, nullptr, 0, g));
    SAY(cudaGraphAddChildGraphNode(&child, outer, nullptr, 0, outer));
    size_t many = 1;
    cudaGraphGetNodes(outer, &child, &many);
    SAY(cudaGraphChildGraphNodeGetGraph(child, &inner));
    many = 4;
    cudaGraphGetNodes(inner, in, &many);
    five = 100;
    SAY(cudaGraphKernelNodeSetParams(in[0], &first));
    SAY(cudaGraphInstantiate(&exec, outer, 0));
    printf("%d\n", run(exec, s));
    // Its form again, with other numbers: (1 + 2) * 11
    five = 2;
    cudaGraphKernelNodeSetParams(one, &first);
    cudaGraphKernelNodeSetParams(two, &second);
    SAY(cudaGraphExecChildGraphNodeSetParams(exec, child, g));
    printf("%d\n", run(exec, s));
    SAY(cudaGraphExecDestroy(exec));
    SAY(cudaGraphDestroy(outer));

    // A graph does not run beside itself, whatever the streams.
    cudaStream_t t;
    cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
    cudaGraphInstantiate(&exec, g, 0);
    int value = 1;
    cudaMemcpy(p, &value, sizeof value, cudaMemcpyHostToDevice);
    SAY(cudaGraphLaunch(exec, t));
    SAY(cudaGraphLaunch(exec, s));
    SAY(cudaStreamSynchronize(s));
    cudaMemcpy(&value, p, sizeof value, cudaMemcpyDeviceToHost);
    printf("%d\n", value);
    cudaGraphExecDestroy(exec);

    // User objects go with their last graph.
    cudaUserObject_t object, second_object;
    SAY(cudaUserObjectCreate(&object, (void *)"first", gone, 1, cudaUserObjectNoDestructorSync));
    SAY(cudaUserObjectCreate(&second_object, (void *)"second", gone, 2, cudaUserObjectNoDestructorSync));
    SAY(cudaUserObjectCreate(&second_object, nullptr, gone, 2, 0));
    SAY(cudaUserObjectCreate(&second_object, nullptr, gone, 0, cudaUserObjectNoDestructorSync));
    SAY(cudaGraphRetainUserObject(clone, object, 1, cudaGraphUserObjectMove));
    SAY(cudaGraphRetainUserObject(clone, second_object));
    SAY(cudaUserObjectRetain(second_object, 3));
    SAY(cudaUserObjectRelease(second_object, 5));
    cudaGraphInstantiate(&exec, clone, 0);
    SAY(cudaGraphDestroy(clone));
    printf("still there\n");
    SAY(cudaGraphExecDestroy(exec));
    cudaUserObjectCreate(&object, (void *)"third", gone, 1, cudaUserObjectNoDestructorSync);
    SAY(cudaGraphRetainUserObject(g, object));
    SAY(cudaGraphReleaseUserObject(g, object));
    SAY(cudaUserObjectRelease(object));

    // As a picture.
    SAY(cudaGraphDebugDotPrint(g, "/dev/null", cudaGraphDebugDotFlagsVerbose));
    SAY(cudaGraphDebugDotPrint(g, "/no/such/folder/graph", 0));
    SAY(cudaGraphDestroy(g));
    cudaStreamDestroy(s);
    cudaStreamDestroy(t);
    cudaFree(p);
}
