// Launches that race run a second time, from where they began: what device code made, destroyed, issued and was
// told must be as it was before, and stand once.
// revisions: text children errors stream
#include <cstdio>

__device__ int x, y;
__device__ cudaStream_t stream;

struct Three {
    int a, b, c;
};

__global__ void child(Three s, int *p) {
    printf("%d %d %d %d\n", s.a, s.b, s.c, *p);
    free(p);
}

__global__ void nop() {}

// The text for device code is made in the launch that runs twice, and used by the next.
__global__ void text(bool race) {
    if (race) x = threadIdx.x; //[text]~ ERROR global-race
    if (threadIdx.x == 0) {
        int *p = (int *)malloc(sizeof *p);
        *p = 7;
        printf("%s %d\n", cudaGetErrorString(cudaErrorInvalidValue), *p);
        free(p);
    }
}

// Arguments by value have memory of their own, which is made between allocations on the device's heap.
__global__ void children() {
    x = threadIdx.x; //[children]~ ERROR global-race
    if (threadIdx.x != 0) return;
    for (int i = 5; i < 8; i++) {
        int *p = (int *)malloc(sizeof *p);
        *p = i;
        child<<<1, 1>>>(Three{1, 2, i}, p);
    }
}

// No thread has an error when the launch begins, and each has one after its own launch.
__global__ void errors() {
    x = threadIdx.x; //[errors]~ ERROR global-race
    if (cudaGetLastError() == cudaSuccess) y = threadIdx.x; //[errors]~ ERROR global-race
    nop<<<1, 4096>>>(); //[errors]~ ERROR invalid-launch
    __syncthreads();
    if (cudaPeekAtLastError() != cudaSuccess) y = threadIdx.x; //[errors]~ ERROR global-race
}

__global__ void make() {
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
}

// A stream can be destroyed once.
__global__ void destroy() {
    x = threadIdx.x; //[stream]~ ERROR global-race
    __syncthreads();
    if (threadIdx.x == 0) y = cudaStreamDestroy(stream);
    __syncthreads();
    if (y == cudaSuccess) x = threadIdx.x; //[stream]~ ERROR global-race
}

int main() {
#if defined(REV_text)
    text<<<1, 64>>>(true);
    cudaDeviceSynchronize();
    text<<<1, 64>>>(false);
#elif defined(REV_children)
    children<<<1, 64>>>();
#elif defined(REV_errors)
    errors<<<1, 64>>>();
#else
    make<<<1, 1>>>();
    destroy<<<1, 64>>>();
    cudaDeviceSynchronize();
    int destroyed;
    cudaMemcpyFromSymbol(&destroyed, y, sizeof destroyed);
    printf("%d\n", destroyed);
#endif
    return cudaDeviceSynchronize();
}
