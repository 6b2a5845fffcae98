// What the proofs about two threads know: accesses between barriers as terms, loops, and what the host's code says.
// flags: --emit regions
__global__ void reduce(const int *in, int *out, int n) {
    extern __shared__ int s[];
    int t = threadIdx.x;
    s[t] = blockIdx.x * blockDim.x + t < n ? in[blockIdx.x * blockDim.x + t] : 0;
    __syncthreads();
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) atomicAdd(out, s[0]);
}

int main(int argc, char **argv) {
    int *in, *out, blocks = argc;
    cudaMalloc(&in, blocks * 128 * sizeof(int));
    cudaMalloc(&out, sizeof(int));
    reduce<<<blocks, 128, 128 * sizeof(int)>>>(in, out, blocks * 128);
    return 0;
}
