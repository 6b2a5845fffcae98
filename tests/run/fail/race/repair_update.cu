// One place that many threads update: an atomic operation helps, and a barrier does not.
// revisions: counted added written separate behind least two scaled wide less

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
#elif defined REV_behind
    box[0] = in[t] * 2 + t + box[0]; //[behind]~ ERROR shared-race
    //[behind]~^ ERROR shared-race
#elif defined REV_least
    box[0] = min(box[0], in[t]); //[least]~ ERROR shared-race
    //[least]~^ WARNING shared-race
#elif defined REV_two
    int old = box[0]; //[two]~ ERROR shared-race
    box[0] = old + in[t]; //[two]~ WARNING shared-race
#elif defined REV_scaled
    // No atomic operation does this.
    box[0] = box[0] + in[t] << 1; //[scaled]~ ERROR shared-race
    //[scaled]~^ WARNING shared-race
#elif defined REV_wide
    __shared__ long long sum;
    if (t == 0) sum = 0;
    __syncthreads();
    sum = sum + t; //[wide]~ ERROR shared-race
    //[wide]~^ ERROR shared-race
#elif defined REV_less
    __shared__ float level;
    if (t == 0) level = 0;
    __syncthreads();
    level -= in[t] + 1; //[less]~ ERROR shared-race
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
