// No barrier is proposed where not all threads come: in a branch, behind a return, between two branches, in a loop of many
// lengths; one on the wrong side of a write orders nothing, and its right place is told.
// revisions: branch returned branches lengths side uniform

__global__ void k(int *out, int n) {
    __shared__ int box[64];
    int t = threadIdx.x;
    box[t] = 0;
    __syncthreads();
#if defined REV_branch
    if (t < 40) {
        box[t] = t;          //[branch]~ RELATED shared-race
        out[t] = box[39 - t]; //[branch]~ ERROR shared-race
    }
#elif defined REV_returned
    if (t == 50) return;
    box[t] = t;          //[returned]~ RELATED shared-race
    out[t] = box[63 - t]; //[returned]~ ERROR shared-race
#elif defined REV_branches
    if (t < 32)
        box[t] = t; //[branches]~ RELATED shared-race
    else
        out[t] = box[63 - t]; //[branches]~ ERROR shared-race
#elif defined REV_lengths
    for (int i = 0; i < t; ++i) box[t] += box[i]; //[lengths]~ ERROR shared-race
    out[t] = box[t];
#elif defined REV_side
    __syncthreads();
    box[t] = t;          //[side]~ RELATED shared-race
    out[t] = box[63 - t]; //[side]~ ERROR shared-race
    __syncthreads();
#else
    // All threads go one way.
    if (n == 64) {
        box[t] = t;          //[uniform]~ RELATED shared-race
        out[t] = box[63 - t]; //[uniform]~ ERROR shared-race
    }
#endif
}

int main() {
    int *dev;
    cudaMalloc(&dev, 64 * sizeof(int));
    k<<<1, 64>>>(dev, 64);
    cudaDeviceSynchronize();
    cudaFree(dev);
    return 0;
}
