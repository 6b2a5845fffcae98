// A shuffle inside a branch: with the mask of all lanes it names some that never come.
// revisions: full ballot else barrier
__global__ void k(int* out) {
    int t = threadIdx.x;
    int v = t;
#if defined(REV_full)
    if (t < 16) v = __shfl_sync(0xffffffff, t, 0); //[full]~ WARNING sync-mask: names lanes that have exited
#elif defined(REV_ballot)
    unsigned mask = __ballot_sync(0xffffffff, t < 16);
    if (t < 16) v = __shfl_sync(mask, t, 0);
#elif defined(REV_else)
    if (t < 16)
        v = __shfl_sync(0x0000ffff, t, 0);
    else
        v = __shfl_sync(0xffff0000, t, 16);
#else
    if (t < 16) v = __shfl_sync(0xffffffff, t, 0); //[barrier]~ ERROR sync-mask: waits for lanes of its warp that never arrive
    __syncthreads();
#endif
    out[t] = v;
}

int main() {
    int* d;
    cudaMalloc(&d, 32 * sizeof(int));
    k<<<1, 32>>>(d);
    cudaDeviceSynchronize();
    cudaFree(d);
    return 0;
}
