// Two atomics, whose code is in one header, race with one read: a finding for each.
// revisions: apart waits
__global__ void k(int *out) {
    __shared__ int s[2];
    int t = threadIdx.x, sum = 0;
    if (t < 2) s[t] = 0;
    __syncthreads();
    if (t == 0) atomicAdd(&s[0], 1); //[apart]~ RELATED shared-race
    if (t == 1) atomicAdd(&s[1], 1); //[apart]~ RELATED shared-race
#ifdef REV_waits
    __syncthreads();
#endif
    if (t >= 2) sum += s[t & 1]; //[apart]~ ERROR shared-race
    //[apart]~^ ERROR shared-race
    out[t] = sum;
}
int main() {
    int *out;
    cudaMalloc(&out, 32);
    k<<<1, 8>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
    return 0;
}
