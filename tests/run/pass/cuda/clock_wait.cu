// Many blocks that wait for the clock get there soon; clocks grow, and what is measured stays short.
#include <cstdio>

__global__ void wait(long long ticks, unsigned int* waited) {
    long long start = clock64(), now = start;
    while (now - start < ticks)
        now = clock64();
    if (threadIdx.x == 0)
        atomicAdd(waited, 1u);
}

__global__ void measure(long long* longest, int* backwards) {
    for (int i = 0; i < 1000; i++) {
        long long a = clock64();
        long long b = clock64();
        if (b <= a)
            *backwards = 1;
        if (b - a > *longest)
            *longest = b - a;
    }
}

int main() {
    unsigned int* waited;
    long long* longest;
    int* backwards;
    cudaMallocManaged(&waited, sizeof *waited);
    cudaMallocManaged(&longest, sizeof *longest);
    cudaMallocManaged(&backwards, sizeof *backwards);
    *waited = *longest = *backwards = 0;
    wait<<<2000, 256>>>(10000, waited);
    cudaDeviceSynchronize();
    printf("%u waited\n", *waited);
    measure<<<1, 1>>>(longest, backwards);
    cudaDeviceSynchronize();
    printf("short: %d, backwards: %d\n", *longest < 200, *backwards);
    cudaFree(waited);
    cudaFree(longest);
    cudaFree(backwards);
}
