// Branches of a graph race as streams do; a capture that is not joined, one of the default stream, a host that waits in
// one; a graph used after it was destroyed.
// revisions: good race unjoined default wait destroyed
__global__ void add(int* p) { p[threadIdx.x] += 1; } //[race]~ ERROR global-race
//[race]~^ ERROR global-race

int main() {
    int *a, *b;
    cudaMalloc(&a, 128);
    cudaMalloc(&b, 128);
    cudaMemset(a, 0, 128);
    cudaMemset(b, 0, 128);
    cudaStream_t s, t;
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    cudaEvent_t fork, join;
    cudaEventCreate(&fork);
    cudaEventCreate(&join);
    cudaGraph_t graph = 0;
#ifdef REV_default
    cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal); //[default]~ ERROR api-error: default stream
#else
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    cudaEventRecord(fork, s);
    cudaStreamWaitEvent(t, fork, 0);
    add<<<1, 32, 0, s>>>(a); //[race]~ RELATED global-race
#ifdef REV_race
    add<<<1, 32, 0, t>>>(a); //[race]~ RELATED global-race
#else
    add<<<1, 32, 0, t>>>(b);
#endif
#ifdef REV_wait
    cudaStreamSynchronize(s); //[wait]~ ERROR api-error: while it is captured
#endif
    cudaEventRecord(join, t);
#ifndef REV_unjoined
    cudaStreamWaitEvent(s, join, 0);
#endif
    cudaStreamEndCapture(s, &graph); //[unjoined]~ ERROR api-error: has waited
//[wait]~^ WARNING api-error: cudaErrorStreamCaptureInvalidated
#endif
#if !defined(REV_unjoined) && !defined(REV_default) && !defined(REV_wait)
    cudaGraphExec_t exec;
    cudaGraphInstantiate(&exec, graph, 0);
#ifdef REV_destroyed
    cudaGraphExecDestroy(exec);
#endif
    cudaGraphLaunch(exec, s); //[destroyed]~ ERROR api-error: executable graph
    cudaStreamSynchronize(s);
#ifndef REV_destroyed
    cudaGraphExecDestroy(exec);
#endif
    cudaGraphDestroy(graph);
#endif
    cudaEventDestroy(fork);
    cudaEventDestroy(join);
    cudaStreamDestroy(s);
    cudaStreamDestroy(t);
    cudaFree(a);
    cudaFree(b);
    return 0;
}
