// Graphs that device code cannot launch; the near miss does all that is needed before.
// revisions: unflagged raw outside twice stream host_node fine
#include <cstdio>

__device__ int ran;
__global__ void work() { ran = 1; }
__global__ void launch(cudaGraphExec_t exec, cudaError_t *error) {
#ifdef REV_stream
    *error = cudaGraphLaunch(exec, 0); //[stream]~ ERROR api-error: device code launches a graph on a stream other than `cudaStreamGraphTailLaunch`, `cudaStreamGraphFireAndForget` and `cudaStreamGraphFireAndForgetAsSibling`
#else
    *error = cudaGraphLaunch(exec, cudaStreamGraphFireAndForget); //[unflagged]~ ERROR api-error: without `cudaGraphInstantiateFlagDeviceLaunch`
                                                                  //[raw]~^ ERROR api-error: that was not uploaded
                                                                  //[outside]~^^ ERROR api-error: a kernel that is not part of a graph launches a graph
#endif
#ifdef REV_twice
    *error = cudaGraphLaunch(exec, cudaStreamGraphTailLaunch); //[twice]~ ERROR api-error: device code launches a graph whose last launch has not ended
#endif
}

void call(void *) {}

int main() {
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaError_t *error;
    cudaMallocManaged(&error, sizeof *error);
    cudaGraph_t inner, outer;
    cudaGraphExec_t exec = nullptr, host;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    work<<<1, 1, 0, stream>>>();
#ifdef REV_host_node
    cudaLaunchHostFunc(stream, call, nullptr);
#endif
    cudaStreamEndCapture(stream, &inner);
#ifdef REV_unflagged
    cudaGraphInstantiate(&exec, inner, 0);
#else
    cudaError_t made = cudaGraphInstantiate(&exec, inner, cudaGraphInstantiateFlagDeviceLaunch); //[host_node]~ ERROR api-error: device code cannot launch this graph: it has a node of kind
    printf("%s\n", cudaGetErrorName(made));
    if (made != cudaSuccess) {
        cudaFree(error);
        return 0;
    }
#endif
#ifndef REV_raw
    cudaGraphUpload(exec, stream);
#endif
#ifdef REV_outside
    launch<<<1, 1, 0, stream>>>(exec, error);
#else
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    launch<<<1, 1, 0, stream>>>(exec, error);
    cudaStreamEndCapture(stream, &outer);
    cudaGraphInstantiate(&host, outer, 0);
    cudaGraphLaunch(host, stream);
#endif
    cudaStreamSynchronize(stream);
    int done;
    cudaMemcpyFromSymbol(&done, ran, sizeof done);
    printf("%s %d\n", cudaGetErrorName(*error), done);
    cudaFree(error);
}
