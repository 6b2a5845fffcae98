// Conditional nodes: if, else, while, switch, one in another, values with and without a default, what is refused.
#include <cstdio>

#define SAY(call) printf("%s: %s\n", #call, cudaGetErrorName(call))

__global__ void set(cudaGraphConditionalHandle handle, const int *value) { cudaGraphSetConditional(handle, *value); }
__global__ void add(int *p, int n) { *p += n; }
__global__ void down(cudaGraphConditionalHandle handle, int *rounds, int *done) {
    *done += 1;
    cudaGraphSetConditional(handle, --*rounds > 0);
}
__global__ void say(int n) { printf("body %d\n", n); }

static cudaGraphNodeParams kernel(const void *f, void **arguments) {
    cudaGraphNodeParams params = {};
    params.type = cudaGraphNodeTypeKernel;
    params.kernel.func = (void *)f;
    params.kernel.gridDim = dim3(1);
    params.kernel.blockDim = dim3(1);
    params.kernel.kernelParams = arguments;
    return params;
}

static cudaGraphNodeParams conditional(cudaGraphConditionalHandle handle, cudaGraphConditionalNodeType type,
                                       unsigned size) {
    cudaGraphNodeParams params = {};
    params.type = cudaGraphNodeTypeConditional;
    params.conditional.handle = handle;
    params.conditional.type = type;
    params.conditional.size = size;
    return params;
}

int main() {
    int *value, *rounds, *done;
    cudaMallocManaged(&value, sizeof(int));
    cudaMallocManaged(&rounds, sizeof(int));
    cudaMallocManaged(&done, sizeof(int));

    // If and else, by a kernel.
    cudaGraph_t g;
    cudaGraphCreate(&g, 0);
    cudaGraphConditionalHandle handle;
    SAY(cudaGraphConditionalHandleCreate(&handle, g));
    SAY(cudaGraphConditionalHandleCreate(nullptr, g));
    SAY(cudaGraphConditionalHandleCreate(&handle, g, 0, 8));
    void *set_arguments[] = {&handle, &value};
    cudaGraphNodeParams params = kernel((const void *)set, set_arguments);
    cudaGraphNode_t first, choice, inner;
    SAY(cudaGraphAddNode(&first, g, nullptr, 0, &params));
    cudaGraphNodeParams branch = conditional(handle, cudaGraphCondTypeIf, 3);
    SAY(cudaGraphAddNode(&choice, g, &first, 1, &branch));
    branch = conditional(handle, cudaGraphCondTypeIf, 2);
    SAY(cudaGraphAddNode(&choice, g, &first, 1, &branch));
    int numbers[] = {0, 1, 2};
    void *say_arguments[3][1] = {{&numbers[0]}, {&numbers[1]}, {&numbers[2]}};
    for (int i = 0; i < 2; ++i) {
        params = kernel((const void *)say, say_arguments[i]);
        SAY(cudaGraphAddNode(&inner, branch.conditional.phGraph_out[i], nullptr, 0, &params));
    }
    cudaGraphNodeType type;
    SAY(cudaGraphNodeGetType(choice, &type));
    printf("type %d\n", type);
    cudaGraphExec_t exec;
    SAY(cudaGraphInstantiate(&exec, g, 0));
    for (int i = 0; i < 3; ++i) {
        *value = i;
        SAY(cudaGraphLaunch(exec, 0));
        SAY(cudaDeviceSynchronize());
    }
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(g);

    // While, with a default for each launch, and a switch in it.
    cudaGraphCreate(&g, 0);
    cudaGraphConditionalHandle which;
    cudaGraphConditionalHandleCreate(&handle, g, 1, cudaGraphCondAssignDefault);
    cudaGraphConditionalHandleCreate(&which, g, 0, cudaGraphCondAssignDefault);
    branch = conditional(handle, cudaGraphCondTypeWhile, 1);
    SAY(cudaGraphAddNode(&choice, g, nullptr, 0, &branch));
    cudaGraph_t body = branch.conditional.phGraph_out[0];
    void *down_arguments[] = {&handle, &rounds, &done};
    params = kernel((const void *)down, down_arguments);
    SAY(cudaGraphAddNode(&first, body, nullptr, 0, &params));
    void *which_arguments[] = {&which, &rounds};
    params = kernel((const void *)set, which_arguments);
    SAY(cudaGraphAddNode(&inner, body, &first, 1, &params));
    branch = conditional(which, cudaGraphCondTypeSwitch, 3);
    SAY(cudaGraphAddNode(&choice, body, &inner, 1, &branch));
    for (int i = 0; i < 3; ++i) {
        params = kernel((const void *)say, say_arguments[i]);
        cudaGraphAddNode(&inner, branch.conditional.phGraph_out[i], nullptr, 0, &params);
    }
    SAY(cudaGraphInstantiate(&exec, g, 0));
    *done = 0;
    for (int i = 0; i < 2; ++i) {
        *rounds = 4;
        cudaGraphLaunch(exec, 0);
        cudaDeviceSynchronize();
        printf("done %d\n", *done);
    }
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(g);

    // A handle that no node uses.
    cudaGraphCreate(&g, 0);
    cudaGraphConditionalHandleCreate(&handle, g);
    cudaGraphInstantiateParams how = {};
    SAY(cudaGraphInstantiateWithParams(&exec, g, &how));
    printf("result %d\n", how.result_out);
    cudaGraphDestroy(g);
    cudaFree(value);
    cudaFree(rounds);
    cudaFree(done);
}
