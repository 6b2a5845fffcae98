// Branches that split warps, and branches that whole warps take one way.
// flags: --perf
// exit: 0
#include <cstdio>

__global__ void work(int *data, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n) return; // Splits the last warp of 32 only: not worth a note.
    if (threadIdx.x % 2 == 0) { //~ NOTE warp-divergence: 32 of 32 executions of this branch split a warp
        data[t] *= 3; //~ NOTE uncoalesced-access: 250 sectors of 32 bytes where 126 would do: 2 times as many
    } else {
        data[t] += 7; //~ NOTE uncoalesced-access: 250 sectors of 32 bytes where 126 would do: 2 times as many
    }
    if (threadIdx.x / 32 % 2 == 0) {
        data[t] *= 2;
    } else {
        data[t] += 1;
    }
}

int main() {
    const int n = 1000;
    int *data, h[n];
    cudaMalloc(&data, sizeof(h));
    cudaMemset(data, 0, sizeof(h));
    work<<<16, 64>>>(data, n);
    cudaMemcpy(h, data, sizeof(h), cudaMemcpyDeviceToHost);
    printf("%d %d %d %d\n", h[0], h[1], h[32], h[33]);
    cudaFree(data);
    return 0;
}
