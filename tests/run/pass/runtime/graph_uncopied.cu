// Graphs with conditional nodes or nodes for memory cannot be copied, by hand or into a child.
#include <cstdio>

#define SAY(call) printf("%s: %s\n", #call, cudaGetErrorName(call))

int main() {
    cudaGraph_t graph, outer, clone, empty;
    cudaGraphCreate(&graph, 0);
    cudaGraphCreate(&outer, 0);
    cudaGraphCreate(&empty, 0);
    cudaGraphConditionalHandle handle;
    cudaGraphConditionalHandleCreate(&handle, graph, 0, cudaGraphCondAssignDefault);
    cudaGraphNodeParams params = {};
    params.type = cudaGraphNodeTypeConditional;
    params.conditional.handle = handle;
    params.conditional.type = cudaGraphCondTypeIf;
    params.conditional.size = 1;
    cudaGraphNode_t node, child;
    SAY(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params));
    SAY(cudaGraphClone(&clone, graph));
    SAY(cudaGraphAddChildGraphNode(&child, outer, nullptr, 0, graph));
    SAY(cudaGraphAddChildGraphNode(&child, outer, nullptr, 0, empty));
    SAY(cudaGraphClone(&clone, outer));
    size_t n = 0;
    cudaGraphGetNodes(clone, nullptr, &n);
    printf("%zu\n", n);
    SAY(cudaGraphDestroy(clone));
    // Its body has none of them.
    SAY(cudaGraphClone(&clone, params.conditional.phGraph_out[0]));
    SAY(cudaGraphDestroy(clone));
    SAY(cudaGraphDestroyNode(node));
    SAY(cudaGraphClone(&clone, graph));
    cudaMemAllocNodeParams memory = {};
    memory.poolProps.allocType = cudaMemAllocationTypePinned;
    memory.poolProps.location.type = cudaMemLocationTypeDevice;
    memory.bytesize = 64;
    SAY(cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &memory));
    cudaGraph_t again;
    SAY(cudaGraphClone(&again, graph));
    cudaGraphDestroy(clone);
    cudaGraphDestroy(outer);
    cudaGraphDestroy(empty);
    cudaGraphDestroy(graph);
}
