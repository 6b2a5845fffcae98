// Memory of a graph, used before a launch has allocated it and after it was freed; the near misses use it in between,
// in the graph and behind it.
// revisions: early freed outside again inside left
#include <cstdio>

__global__ void fill(int *p, int n) {
    if (threadIdx.x < n)
        p[threadIdx.x] = n; //[early,freed,outside]~ ERROR use-after-free: while it is not allocated
}

int main() {
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaGraph_t graph;
    cudaGraphCreate(&graph, 0);
    cudaMemAllocNodeParams memory = {};
    memory.poolProps.allocType = cudaMemAllocationTypePinned;
    memory.poolProps.location.type = cudaMemLocationTypeDevice;
    memory.bytesize = 128;
    cudaGraphNode_t alloc, kernel, release;
    cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &memory);
    int *p = (int *)memory.dptr, n = 32;
    void *args[] = {&p, &n};
    cudaKernelNodeParams params = {};
    params.func = (void *)fill;
    params.gridDim = 1;
    params.blockDim = 32;
    params.kernelParams = args;
    cudaGraphAddKernelNode(&kernel, graph, &alloc, 1, &params);
#if defined(REV_freed) || defined(REV_inside) || defined(REV_again)
    cudaGraphAddMemFreeNode(&release, graph, &kernel, 1, p); //[freed]~ RELATED use-after-free
#endif
    cudaGraphExec_t exec;
    cudaGraphInstantiate(&exec, graph, 0);
#ifdef REV_early
    fill<<<1, 32, 0, stream>>>(p, 4);
#endif
    cudaGraphLaunch(exec, stream);
#if defined(REV_freed)
    fill<<<1, 32, 0, stream>>>(p, 4);
#elif defined(REV_outside)
    cudaFreeAsync(p, stream); //[outside]~ RELATED use-after-free
    fill<<<1, 32, 0, stream>>>(p, 4);
#elif defined(REV_left)
    fill<<<1, 32, 0, stream>>>(p, 4);
    int found[5];
    cudaMemcpyAsync(found, p, sizeof found, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    printf("%d %d\n", found[3], found[4]);
    cudaFreeAsync(p, stream);
#elif defined(REV_again)
    cudaGraphLaunch(exec, stream);
#endif
    printf("%s\n", cudaGetErrorName(cudaStreamSynchronize(stream)));
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
}
