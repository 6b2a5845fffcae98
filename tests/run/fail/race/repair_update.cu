// One place that many threads update: an atomic operation helps, and a barrier does not.
// revisions: counted added written separate

__global__ void k(const int *in, int *out) {
    __shared__ int box[4];
    int t = threadIdx.x;
    if (t < 4) box[t] = 0;
    __syncthreads();
#if defined REV_counted
    box[in[t] & 3]++; //[counted]~ ERROR shared-race
#elif defined REV_added
    box[in[t] & 3] += in[t] * 2; //[added]~ ERROR shared-race
#elif defined REV_written
    box[0] = box[0] + in[t] + t; //[written]~ ERROR shared-race
    //[written]~^ ERROR shared-race
#else
    if (t < 32) box[0] += 1; //[separate]~ ERROR shared-race
    //[separate]~^ ERROR shared-race
    if (t >= 32) box[0] += 2; //[separate]~ ERROR shared-race
    //[separate]~^ ERROR shared-race
#endif
    __syncthreads();
    if (t < 4) out[t] = box[t];
}

int main() {
    int *in, *out;
    cudaMalloc(&in, 64 * sizeof(int));
    cudaMalloc(&out, 4 * sizeof(int));
    cudaMemset(in, 0, 64 * sizeof(int));
    k<<<1, 64>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
