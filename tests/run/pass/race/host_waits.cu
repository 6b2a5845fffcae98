// The host and the device share memory, and the host waits before it uses what a kernel may be at.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 128

__managed__ int total;

__global__ void scale(float *p, float f) {
    p[threadIdx.x] *= f;
}

__global__ void sum(const float *p) {
    if (threadIdx.x == 0) {
        float s = 0;
        for (int i = 0; i < N; ++i) s += p[i];
        total += (int)s;
    }
}

int main() {
    float *managed, *mapped, *pinned, *device, *plain = (float *)malloc(N * sizeof(float));
    cudaMallocManaged(&managed, N * sizeof(float));
    cudaHostAlloc(&mapped, N * sizeof(float), cudaHostAllocMapped);
    cudaMallocHost(&pinned, N * sizeof(float));
    cudaMalloc(&device, N * sizeof(float));
    total = 0;
    for (int i = 0; i < N; ++i) managed[i] = mapped[i] = pinned[i] = plain[i] = 1;

    scale<<<1, N>>>(managed, 2);
    cudaDeviceSynchronize();
    printf("%g\n", managed[5]);
    // Reads on both sides, and writes elsewhere.
    sum<<<1, 32>>>(managed);
    printf("%g\n", managed[5]);
    mapped[3] = 4;
    cudaDeviceSynchronize();
    printf("%d\n", total);

    // A part of an object.
    scale<<<1, N / 2>>>(mapped, 3);
    for (int i = N / 2; i < N; ++i) mapped[i] = 9;
    cudaStreamSynchronize(0);
    printf("%g %g\n", mapped[3], mapped[N - 1]);

    // A blocking copy waits for what is before it in its stream.
    scale<<<1, N>>>(managed, 2);
    cudaMemcpy(plain, mapped, N * sizeof(float), cudaMemcpyDefault);
    printf("%g\n", managed[0]);

    // Pageable memory was read when the call returns.
    cudaMemcpyAsync(device, plain, N * sizeof(float), cudaMemcpyHostToDevice);
    plain[0] = -1;
    // The source of a copy may be read meanwhile, its destination once it has been waited for.
    cudaMemcpyAsync(device, pinned, N * sizeof(float), cudaMemcpyHostToDevice);
    printf("%g\n", pinned[0]);
    scale<<<1, N>>>(device, 8);
    cudaMemcpyAsync(pinned, device, N * sizeof(float), cudaMemcpyDeviceToHost);
    cudaDeviceSynchronize();
    printf("%g\n", pinned[0]);
    pinned[0] = 0;

    // A fill of managed memory, and a copy within the host, are done when they return.
    cudaMemset(managed, 0, N * sizeof(float));
    printf("%g\n", managed[0]);
    cudaMemcpyAsync(pinned, mapped, N * sizeof(float), cudaMemcpyHostToHost);
    printf("%g\n", pinned[N - 1]);

    // Memory that was made while a kernel is under way.
    scale<<<1, N>>>(device, 1);
    int *late;
    cudaMallocManaged(&late, sizeof(int));
    *late = 3;
    memset(plain, 0, N * sizeof(float));
    // Freeing waits.
    scale<<<1, N>>>(mapped, 2);
    cudaFree(late);
    printf("%g\n", mapped[N - 1]);

    cudaFree(managed);
    cudaFree(device);
    cudaFreeHost(mapped);
    cudaFreeHost(pinned);
    free(plain);
    return 0;
}
