// A node that frees what no graph has allocated; its near miss frees what one has.
// revisions: own other
#include <cstdio>

int main() {
    cudaGraph_t graph;
    cudaGraphNode_t alloc, node;
    cudaGraphCreate(&graph, 0);
    cudaMemAllocNodeParams params = {};
    params.poolProps.allocType = cudaMemAllocationTypePinned;
    params.poolProps.location.type = cudaMemLocationTypeDevice;
    params.bytesize = 256;
    cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
    void* plain;
    cudaMalloc(&plain, 256);
#if defined(REV_own)
    void* p = params.dptr;
#else
    void* p = plain;
#endif
    cudaError_t error = cudaGraphAddMemFreeNode(&node, graph, &alloc, 1, p); //[other]~ ERROR api-error: no graph has allocated
    printf("%s\n", cudaGetErrorName(error));
    cudaGraphDestroy(graph);
    cudaFree(plain);
}
