// Memory of every kind that a program can ask for: pitched, managed, pinned and mapped, registered; fills and
// copies in two dimensions.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__global__ void rows(char *base, size_t pitch, int width, int height) {
    int x = threadIdx.x, y = blockIdx.x;
    if (x < width && y < height) ((int *)(base + y * pitch))[x] += y * 100 + x;
}

__global__ void increment(int *p, int n) {
    int i = threadIdx.x;
    if (i < n) p[i] += 1;
}

__managed__ int managed_variable = 5;
__global__ void use_managed() { managed_variable *= 2; }

int main() {
    const int width = 5, height = 3;
    char *pitched;
    size_t pitch = 0;
    int host[height][width];
    cudaMallocPitch(&pitched, &pitch, width * sizeof(int), height);
    printf("pitch: %d %d\n", pitch >= width * sizeof(int), (int)(pitch % 16));
    cudaMemset2D(pitched, pitch, 0, width * sizeof(int), height);
    rows<<<height, 8>>>(pitched, pitch, width, height);
    cudaMemcpy2D(host, width * sizeof(int), pitched, pitch, width * sizeof(int), height, cudaMemcpyDeviceToHost);
    for (int y = 0; y < height; ++y) printf("%d %d ", host[y][0], host[y][width - 1]);
    printf("\n");
    cudaFree(pitched);

    int *managed;
    cudaMallocManaged(&managed, 4 * sizeof(int));
    for (int i = 0; i < 4; ++i) managed[i] = i;
    increment<<<1, 32>>>(managed, 4);
    use_managed<<<1, 1>>>();
    cudaDeviceSynchronize();
    printf("%d %d %d\n", managed[0], managed[3], managed_variable);
    managed_variable = 1;
    cudaFree(managed);

    int *pinned, *mapped, *alias, *plain = (int *)malloc(4 * sizeof(int));
    cudaMallocHost(&pinned, 4 * sizeof(int));
    cudaHostAlloc(&mapped, 4 * sizeof(int), cudaHostAllocMapped);
    memset(mapped, 0, 4 * sizeof(int));
    cudaHostGetDevicePointer(&alias, mapped, 0);
    increment<<<1, 4>>>(alias, 4);
    cudaDeviceSynchronize();
    for (int i = 0; i < 4; ++i) pinned[i] = mapped[i] * 10, plain[i] = 7;
    cudaHostRegister(plain, 4 * sizeof(int), cudaHostRegisterMapped);
    cudaHostGetDevicePointer(&alias, plain, 0);
    increment<<<1, 4>>>(alias, 4);
    cudaDeviceSynchronize();
    cudaHostUnregister(plain);
    printf("%d %d\n", pinned[2], plain[3]);
    cudaFreeHost(pinned);
    cudaFreeHost(mapped);
    free(plain);

    int *a, *b, back[4], four[4] = {1, 2, 3, 4};
    cudaMalloc(&a, sizeof four);
    cudaMalloc(&b, sizeof four);
    cudaMemcpy(a, four, sizeof four, cudaMemcpyHostToDevice);
    cudaMemcpy(b, a, sizeof four, cudaMemcpyDeviceToDevice);
    cudaMemset(a, 0xff, sizeof four);
    cudaMemcpy(back, b, sizeof four, cudaMemcpyDeviceToHost);
    cudaMemcpy(four, back, sizeof four, cudaMemcpyHostToHost);
    cudaMemcpy(back, a, sizeof back, cudaMemcpyDefault);
    printf("%d %d %d\n", four[0], four[3], back[0]);
    cudaFree(a);
    cudaFree(b);
    return 0;
}
