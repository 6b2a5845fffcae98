// Where shared variables start, in the order of their declarations: `float4` out of an array of `float` that does not start at a
// multiple of 16.
// flags: --verdicts --no-check uninitialized-read

__global__ void behind_a_byte(float4 *out) {
    __shared__ char flag;
    __shared__ float tile[256];
    if (threadIdx.x == 0)
        flag = 1;
    tile[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = *(float4 *)(tile + 4 * (threadIdx.x / 4)); //~ ERROR misaligned-access: of `tile`, which starts 4 bytes past a multiple of 16
    out[threadIdx.x].x += flag;
}

__global__ void in_front(float4 *out) {
    __shared__ float tile[256];
    __shared__ char flag;
    if (threadIdx.x == 0)
        flag = 1;
    tile[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = *(float4 *)(tile + 4 * (threadIdx.x / 4));
    out[threadIdx.x].x += flag;
}

__global__ void declared(float4 *out) {
    __shared__ char flag;
    __shared__ __align__(16) float tile[256];
    if (threadIdx.x == 0)
        flag = 1;
    tile[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = *(float4 *)(tile + 4 * (threadIdx.x / 4));
    out[threadIdx.x].x += flag;
}

// Three words past: the fourth element, and every fourth from it, is in place.
__global__ void made_up_for(float4 *out) {
    __shared__ int three[3];
    __shared__ float tile[257];
    if (threadIdx.x < 3)
        three[threadIdx.x] = 1;
    tile[threadIdx.x + 1] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = *(float4 *)(tile + 1 + 4 * (threadIdx.x / 4));
    out[threadIdx.x].x += three[threadIdx.x % 3];
}

int main() {
    float4 *out;
    cudaMalloc(&out, 256 * sizeof(float4));
    behind_a_byte<<<1, 256>>>(out);
    in_front<<<1, 256>>>(out);
    declared<<<1, 256>>>(out);
    made_up_for<<<1, 256>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
    return 0;
}
