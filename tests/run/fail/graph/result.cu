// Why a graph cannot be instantiated is told in the parameters: device code cannot launch what calls the host.
// revisions: fine host_node
#include <cstdio>

__global__ void work() {}
void call(void *) {}

int main() {
    cudaGraph_t graph;
    cudaGraphNode_t node;
    cudaGraphExec_t exec;
    cudaGraphCreate(&graph, 0);
#ifdef REV_fine
    cudaKernelNodeParams kernel = {};
    kernel.func = (void *)work;
    kernel.gridDim = kernel.blockDim = dim3(1);
    cudaGraphAddKernelNode(&node, graph, nullptr, 0, &kernel);
#else
    cudaHostNodeParams host = {};
    host.fn = call;
    cudaGraphAddHostNode(&node, graph, nullptr, 0, &host);
#endif
    cudaGraphInstantiateParams params = {};
    params.flags = cudaGraphInstantiateFlagDeviceLaunch;
    cudaError_t error = cudaGraphInstantiateWithParams(&exec, graph, &params); //[host_node]~ ERROR api-error: device code cannot launch this graph
    printf("%s %d\n", cudaGetErrorName(error), params.result_out);
    if (error == cudaSuccess) cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
}
