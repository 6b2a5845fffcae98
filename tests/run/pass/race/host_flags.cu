// The host and a kernel talk through flags in mapped memory, `volatile` on both sides and with fences.
#include <stdio.h>

struct Box {
    int data;
    volatile int full;
};

__global__ void produce(Box *box, volatile int *go) {
    while (*go == 0) {}
    __threadfence_system();
    box->data = 42;
    __threadfence_system();
    box->full = 1;
}

__global__ void tick(int *progress) {
    atomicAdd_system(progress, 1);
}

int main() {
    Box *box;
    int *go, *progress;
    cudaHostAlloc(&box, sizeof(Box), cudaHostAllocMapped);
    cudaMallocManaged(&go, sizeof(int));
    cudaMallocManaged(&progress, sizeof(int));
    box->full = 0;
    *go = 0;
    *progress = 0;
    produce<<<1, 1>>>(box, go);
    *(volatile int *)go = 1;
    while (box->full == 0) {}
    printf("%d\n", box->data);
    cudaDeviceSynchronize();

    tick<<<4, 32>>>(progress);
    while (*(volatile int *)progress < 128) {}
    cudaDeviceSynchronize();
    printf("%d\n", *progress);
    cudaFreeHost(box);
    cudaFree(go);
    cudaFree(progress);
    return 0;
}
