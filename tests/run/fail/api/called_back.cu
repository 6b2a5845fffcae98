// Functions that CUDA calls must not call CUDA; what asks for the text of an error is no matter.
// revisions: waits launches allocates stream_callback driver node destructor quiet
#include <cstdio>
#include <cuda.h>

__global__ void set(int *p) { *p = 3; }

int *place;

void function(void *data) {
#ifdef REV_waits
    printf("%s\n", cudaGetErrorName(cudaStreamSynchronize(cudaStream_t(data)))); //[waits]~ ERROR api-error: `cudaStreamSynchronize` in a function that CUDA calls
#elif defined REV_launches
    set<<<1, 1>>>(place); //[launches]~ ERROR api-error: a launch in a function that CUDA calls
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
#elif defined REV_allocates || defined REV_node
    printf("%s\n", cudaGetErrorName(cudaMalloc(&data, 4))); //[allocates,node]~ ERROR api-error: `cudaMalloc` in a function that CUDA calls
#elif defined REV_driver
    int n;
    printf("%d\n", cuDeviceGetCount(&n)); //[driver]~ ERROR api-error: `cuDeviceGetCount` in a function that CUDA calls
#else
    int version = 0;
    cudaRuntimeGetVersion(&version);
    printf("%d %s\n", version, cudaGetErrorString(cudaGetLastError()));
#endif
}

void callback(cudaStream_t, cudaError_t, void *) {
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize())); //[stream_callback]~ ERROR api-error: `cudaDeviceSynchronize` in a function that CUDA calls
}

void destructor(void *data) {
    printf("%s\n", cudaGetErrorName(cudaFree(data))); //[destructor]~ ERROR api-error: `cudaFree` in a function that CUDA calls
}

int main() {
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaMalloc(&place, sizeof *place);
#ifdef REV_stream_callback
    cudaStreamAddCallback(stream, callback, nullptr, 0);
#elif defined REV_destructor
    cudaUserObject_t object;
    cudaUserObjectCreate(&object, place, destructor, 1, cudaUserObjectNoDestructorSync);
    cudaUserObjectRelease(object);
#elif defined REV_node
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t node;
    cudaHostNodeParams params = {function, nullptr};
    cudaGraphCreate(&graph, 0);
    cudaGraphAddHostNode(&node, graph, nullptr, 0, &params);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, stream);
    cudaStreamSynchronize(stream);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
#else
    cudaLaunchHostFunc(stream, function, stream);
#endif
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaGetLastError();
    set<<<1, 1>>>(place);
    printf("%s\n", cudaGetErrorName(cudaFree(place)));
    cudaStreamDestroy(stream);
}
