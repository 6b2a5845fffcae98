// A special register written with one sign, which nvcc takes.
#include <cstdio>

__global__ void k(int* out) {
    unsigned long long now, later;
    unsigned int lane;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    asm volatile("mov.u32 %0, %laneid;" : "=r"(lane));
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(later));
    out[threadIdx.x] = lane + (later >= now ? 100 : 0);
}

int main() {
    int *out, host[4];
    cudaMalloc(&out, sizeof host);
    k<<<1, 4>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d\n", host[0], host[1], host[2], host[3]);
    cudaFree(out);
}
