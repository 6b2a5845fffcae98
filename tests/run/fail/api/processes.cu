// A process that opens the handles that it made itself.
#include <cstdio>

int main() {
    char* d;
    cudaMalloc(&d, 64);
    cudaIpcMemHandle_t handle;
    cudaIpcGetMemHandle(&handle, d);
    void* p;
    cudaError_t e = cudaIpcOpenMemHandle(&p, handle, cudaIpcMemLazyEnablePeerAccess); //~ ERROR api-error: made itself
    printf("%s\n", cudaGetErrorName(e));
    cudaEvent_t event, opened;
    cudaEventCreateWithFlags(&event, cudaEventInterprocess | cudaEventDisableTiming);
    cudaIpcEventHandle_t of_event;
    cudaIpcGetEventHandle(&of_event, event);
    e = cudaIpcOpenEventHandle(&opened, of_event); //~ ERROR api-error: made itself
    printf("%s\n", cudaGetErrorName(e));
    cudaEventDestroy(event);
    cudaFree(d);
}
