// What the runtime takes although it could refuse it: the occupancy of blocks beyond a kernel's bounds, and a conditional
// handle whose node is gone in a new node.
#include <cstdio>

#define SAY(call) printf("%s: %s\n", #call, cudaGetErrorName(call))

__global__ void __launch_bounds__(128) bounded(int *p) { p[threadIdx.x] = 1; }

int main() {
    int blocks = -1;
    SAY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bounded, 256, 0));
    printf("%d\n", blocks);

    cudaGraph_t graph;
    cudaGraphNode_t node;
    cudaGraphConditionalHandle handle;
    cudaGraphCreate(&graph, 0);
    SAY(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
    cudaGraphNodeParams params = {};
    params.type = cudaGraphNodeTypeConditional;
    params.conditional.handle = handle;
    params.conditional.type = cudaGraphCondTypeIf;
    params.conditional.size = 1;
    SAY(cudaGraphAddNode(&node, graph, nullptr, 0, &params));
    SAY(cudaGraphDestroyNode(node));
    SAY(cudaGraphAddNode(&node, graph, nullptr, 0, &params));
    cudaGraphDestroy(graph);
}
