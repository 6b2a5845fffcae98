// Lanes of a warp that rely on volatile shared memory instead of `__syncwarp()`.
// revisions: syncwarp volatile
#include <stdio.h>

__global__ void sum(int *out) {
    __shared__ volatile int parts[64];
    const int t = threadIdx.x;
    parts[t] = parts[t + 32] = 0;
    __syncwarp();
    parts[t] = t;
    parts[t + 32] = 1;
#ifdef REV_syncwarp
    for (int k = 16; k > 0; k /= 2) {
        __syncwarp();
        const int other = parts[t + k];
        __syncwarp();
        parts[t] = parts[t] + other;
    }
#else
    for (int k = 16; k > 0; k /= 2) {
        parts[t] = parts[t] + parts[t + k];
        //[volatile]~^ ERROR shared-race
        //[volatile]~^^ ERROR shared-race
        //[volatile]~^^^ ERROR shared-race
    }
#endif
    if (t == 0) *out = parts[0];
}

int main() {
    int *out;
    cudaMallocManaged(&out, sizeof(int));
    sum<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    printf("%d\n", *out);
    cudaFree(out);
    return 0;
}
