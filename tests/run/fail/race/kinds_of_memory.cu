// Device variables, managed memory, mapped host memory and the device's heap are global memory too.
#include <stdlib.h>
#include <string.h>

__device__ int counter;
__managed__ int managed;
__device__ int *heap;

__global__ void all(int *mapped) {
    counter = counter + 1;
    //~^ ERROR global-race
    //~^^ ERROR global-race
    managed = managed + 1;
    //~^ ERROR global-race
    //~^^ ERROR global-race
    *mapped = *mapped + 1;
    //~^ ERROR global-race
    //~^^ ERROR global-race
}

__global__ void share() {
    __shared__ int *box;
    if (threadIdx.x == 0) {
        box = (int *)malloc(64 * sizeof(int));
        memset(box, 0, 64 * sizeof(int));
        heap = box;
    }
    __syncthreads();
    box[threadIdx.x] = threadIdx.x;
    const int next = box[(threadIdx.x + 1) % 64]; //~ ERROR global-race
    __syncthreads();
    box[threadIdx.x] = next;
    __syncthreads();
    if (threadIdx.x == 0) free(box);
}

int main() {
    int *host, *mapped;
    cudaHostAlloc(&host, sizeof(int), cudaHostAllocMapped);
    *host = 0;
    cudaHostGetDevicePointer(&mapped, host, 0);
    all<<<2, 1>>>(mapped);
    share<<<1, 64>>>();
    cudaDeviceSynchronize();
    cudaFreeHost(host);
    return 0;
}
