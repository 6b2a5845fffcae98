// A tree reduction with a barrier in its loop; without it threads read what others add up meanwhile.
// revisions: without with
__global__ void reduce(const float *in, float *out) {
    __shared__ float part[128];
    int t = threadIdx.x;
    part[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half >>= 1) {
        if (t < half)
            part[t] += part[t + half]; //[without]~ ERROR shared-race: touch the same bytes of `part` without a barrier
#ifdef REV_with
        __syncthreads();
#endif
    }
    if (t == 0)
        out[blockIdx.x] = part[0];
}

int main() {
    float *in, *out;
    cudaMalloc(&in, 512 * sizeof(float));
    cudaMalloc(&out, 4 * sizeof(float));
    reduce<<<4, 128>>>(in, out);
    cudaDeviceSynchronize();
}
