// No launch is given: what the distances of neighbouring threads alone decide is possible, whatever the block.
// flags: --perf
// exit: 0
extern __shared__ float dynamic[];

__global__ void column(float *out) {
    __shared__ float tile[32][32];
    tile[threadIdx.y][threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x % 32][threadIdx.y]; //~ NOTE bank-conflict: may be accessed in 32 transactions where 1 would do: 32 times as many
}

__global__ void structures(float4 *points, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) points[i].y = 0; //~ NOTE uncoalesced-access: may be accessed in 16 sectors of 32 bytes where 4 would do: 4 times as many
}

__global__ void odd(int *p) {
    if (threadIdx.x % 2) p[blockIdx.x * 32 + threadIdx.x / 2] = 1; //~ NOTE warp-divergence: 1 of 1 execution of this branch may split a warp
}
