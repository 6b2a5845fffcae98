// A graph's copies from and to memory that is not page-locked run while the host goes on.
// revisions: reads writes source captured waited before
#include <cstdio>
#include <cstdlib>
#include <cstring>

static int still[32];

int main() {
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    int *d, *m = (int *)malloc(128);
    memset(m, 0, 128);
    cudaMalloc(&d, 128);
    cudaMemset(d, 0, 128);
    cudaDeviceSynchronize();
    cudaGraph_t graph;
    cudaGraphExec_t exec;
#ifdef REV_captured
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    cudaMemcpyAsync(m, d, 128, cudaMemcpyDeviceToHost, stream); //[captured]~ RELATED global-race
    cudaStreamEndCapture(stream, &graph);
#else
    cudaGraphNode_t node;
    cudaGraphCreate(&graph, 0);
#if defined REV_source || defined REV_before
    cudaGraphAddMemcpyNode1D(&node, graph, 0, 0, d, m, 128, cudaMemcpyHostToDevice); //[source]~ RELATED global-race
#elif defined REV_writes
    cudaGraphAddMemcpyNode1D(&node, graph, 0, 0, still, d, 128, cudaMemcpyDeviceToHost); //[writes]~ RELATED global-race
#else
    cudaGraphAddMemcpyNode1D(&node, graph, 0, 0, m, d, 128, cudaMemcpyDeviceToHost); //[reads]~ RELATED global-race
#endif
#endif
    cudaGraphInstantiate(&exec, graph, 0);
#ifdef REV_before
    m[0] = 5;
#endif
    cudaGraphLaunch(exec, stream);
#ifdef REV_waited
    cudaStreamSynchronize(stream);
#endif
#if defined REV_source
    m[0] = 5; //[source]~ ERROR global-race
#elif defined REV_writes
    still[0] = 5; //[writes]~ ERROR global-race
#elif !defined REV_before
    printf("%d\n", m[0]); //[reads,captured]~ ERROR global-race
#endif
    cudaStreamSynchronize(stream);
    printf("%d %d\n", m[31], still[31]);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaFree(d);
    free(m);
    cudaStreamDestroy(stream);
}
