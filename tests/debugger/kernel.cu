// A program for the debugger: a loop with a barrier, lanes that part and meet, a call, an atomic.
__device__ int total(const int *all, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += all[i];
    return sum;
}

__global__ void k(int *out, int n) {
    __shared__ int tile[4];
    int i = threadIdx.x;
    tile[i] = i + n;
    __syncthreads();
    int mine = 0;
    if (i % 2 == 0)
        mine = total(tile, 2);
    else
        mine = total(tile, 4);
    atomicAdd(out, mine);
    __syncthreads();
    if (i == 0)
        *out += 1;
}

int main() {
    int *out;
    cudaMallocManaged(&out, sizeof *out);
    *out = 0;
    k<<<1, 4>>>(out, 3);
    cudaDeviceSynchronize();
    int ok = *out == 1 + 2 * 7 + 2 * 18;
    cudaFree(out);
    return ok ? 0 : 1;
}
