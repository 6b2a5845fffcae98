// A wait that counts its turns while nobody can end it; the near misses give up, are freed, or look at the clock.
// revisions: never limit freed clock
#include <cstdio>

__device__ volatile int flag;

__global__ void k(int* out, long long patience) {
    int t = threadIdx.x;
    if (t == 0) {
        int turns = 0;
#if defined(REV_never)
        while (flag == 0) turns++; //[never]~ ERROR deadlock
#elif defined(REV_limit)
        while (flag == 0 && turns < 1000000) turns++;
#elif defined(REV_freed)
        while (flag == 0) turns++;
        turns = 1;
#else
        long long start = clock64();
        while (flag == 0 && clock64() - start < patience) turns++;
        turns = 1;
#endif
        out[0] = turns;
    }
#ifdef REV_freed
    if (t == 40) flag = 1;
#endif
    __syncthreads();
    if (t == 1) out[1] = 1;
}

int main() {
    int *d, h[2] = {0, 0};
    cudaMalloc(&d, sizeof h);
    cudaMemset(d, 0, sizeof h);
    k<<<1, 64>>>(d, 100000);
    if (cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost) == cudaSuccess) printf("%d %d\n", h[0], h[1]);
    cudaFree(d);
    return 0;
}
