// Memory pools: the device's own and another one, allocations in the order of a stream, attributes, a limit.
#include <cstdio>
#include <cstring>

__global__ void fill(int* p, int n, int value) {
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        p[i] = value + i;
}

void show(cudaMemPool_t pool) {
    unsigned long long used, high;
    cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used);
    cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &high);
    printf("%llu %llu\n", used, high);
}

int main() {
    cudaMemPool_t own, current, mine;
    cudaDeviceGetDefaultMemPool(&own, 0);
    cudaDeviceGetMemPool(&current, 0);
    printf("%d\n", own == current);
    unsigned long long threshold = ~0ull, got = 0;
    cudaMemPoolSetAttribute(own, cudaMemPoolAttrReleaseThreshold, &threshold);
    cudaMemPoolGetAttribute(own, cudaMemPoolAttrReleaseThreshold, &got);
    int reuse = 0;
    cudaMemPoolGetAttribute(own, cudaMemPoolReuseAllowOpportunistic, &reuse);
    printf("%d %d\n", got == threshold, reuse);

    cudaStream_t stream;
    cudaStreamCreate(&stream);
    int *a, *b, host[4];
    cudaMallocAsync(&a, 1000 * sizeof(int), stream);
    fill<<<1, 64, 0, stream>>>(a, 1000, 7);
    cudaMemcpyAsync(host, a + 996, sizeof host, cudaMemcpyDeviceToHost, stream);
    cudaFreeAsync(a, stream);
    cudaMallocAsync(&b, 500 * sizeof(int), stream);
    fill<<<1, 64, 0, stream>>>(b, 500, 0);
    cudaStreamSynchronize(stream);
    printf("%d %d\n", host[0], host[3]);
    show(own);
    cudaFreeAsync(b, stream);
    cudaStreamSynchronize(stream);
    show(own);

    cudaMemPoolProps properties;
    memset(&properties, 0, sizeof properties);
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    properties.maxSize = 4096;
    cudaMemPoolCreate(&mine, &properties);
    cudaMallocFromPoolAsync(&a, 4096, mine, stream);
    printf("%s\n", cudaGetErrorName(cudaMallocFromPoolAsync(&b, 4, mine, stream)));
    show(mine);
    cudaFreeAsync(a, stream);
    cudaStreamSynchronize(stream);
    cudaDeviceSetMemPool(0, mine);
    cudaDeviceGetMemPool(&current, 0);
    printf("%d\n", current == mine);
    cudaMallocAsync(&a, 100, stream);
    cudaStreamSynchronize(stream);
    show(mine);
    cudaFree(a);
    cudaMemPoolTrimTo(mine, 0);
    show(mine);
    cudaFree(b);
    cudaMemPoolDestroy(mine);
    printf("%s\n", cudaGetErrorName(cudaMemPoolDestroy(own)));
    cudaStreamDestroy(stream);
    return 0;
}
