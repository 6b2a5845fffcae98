// What is never freed, by where it came from; what is freed late, or in another function, is no leak.
// What a program leaves that gives up is a note; the system takes the low byte of what `main` returns.
// revisions: device managed pinned host_new stream kernel exits returns low_byte fine
//[exits] exit: 3
//[returns] exit: 1
#include <stdlib.h>

struct Buffer {
    int *data;
    ~Buffer() { cudaFree(data); }
};

__global__ void keep(int **slot) { *slot = (int *)malloc(40); } //[kernel]~ WARNING memory-leak: 40 bytes from `malloc` in device code
__global__ void drop(int **slot) { free(*slot); }

static int *late;
static void at_exit() { cudaFree(late); }

int main() {
#if defined(REV_device)
    int *p, *q;
    cudaMalloc(&p, 40); //[device]~ WARNING memory-leak: 40 bytes from `cudaMalloc`
    q = p;
    cudaMalloc(&p, 80);
    cudaFree(p);
    (void)q;
#elif defined(REV_managed)
    int *p;
    cudaMallocManaged(&p, 40); //[managed]~ WARNING memory-leak: 40 bytes from `cudaMallocManaged`
    p[3] = 1;
#elif defined(REV_pinned)
    void *p;
    cudaHostAlloc(&p, 40, cudaHostAllocDefault); //[pinned]~ WARNING memory-leak: 40 bytes from `cudaHostAlloc`
#elif defined(REV_host_new)
    int *p = new int[10]; //[host_new]~ WARNING memory-leak: 40 bytes from `new[]`
    p[0] = 1;
#elif defined(REV_stream)
    int *p;
    cudaMallocAsync(&p, 40, 0); //[stream]~ WARNING memory-leak: 40 bytes from `cudaMallocAsync`
    cudaDeviceSynchronize();
#elif defined(REV_kernel)
    int **slot;
    cudaMalloc(&slot, sizeof(int *));
    keep<<<1, 1>>>(slot);
    cudaDeviceSynchronize();
    cudaFree(slot);
#elif defined(REV_exits)
    int *p;
    cudaMalloc(&p, 40); //[exits]~ NOTE memory-leak: 40 bytes from `cudaMalloc`
    if (cudaSetDevice(77) != cudaSuccess) exit(3);
#elif defined(REV_returns)
    int *p = new int[10]; //[returns]~ NOTE memory-leak: 40 bytes from `new[]`
    p[0] = 1;
    return p[0];
#elif defined(REV_low_byte)
    int *p = new int[10]; //[low_byte]~ WARNING memory-leak: 40 bytes from `new[]`
    p[0] = 256;
    return p[0];
#else
    Buffer own;
    int **slot, *p;
    cudaMalloc(&own.data, 40);
    cudaMalloc(&late, 40);
    atexit(at_exit);
    cudaMalloc(&slot, sizeof(int *));
    keep<<<1, 1>>>(slot);
    drop<<<1, 1>>>(slot);
    cudaFree(slot);
    cudaMallocAsync(&p, 40, 0);
    cudaFreeAsync(p, 0);
    p = (int *)realloc(malloc(4), 400);
    free(p);
#endif
    return 0;
}
