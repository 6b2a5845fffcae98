// An exchange reads what was there where its result is used; else it is a store, and fresh memory is no matter.
// revisions: used unused
__global__ void k(unsigned *data, unsigned *out) {
#ifdef REV_used
    out[blockIdx.x] = atomicExch(&data[0], blockIdx.x + 1); //[used]~ ERROR uninitialized-read
#else
    atomicExch(&data[0], blockIdx.x + 1);
    out[blockIdx.x] = 0;
#endif
}
int main() {
    unsigned *data, *out;
    cudaMalloc(&data, 4);
    cudaMalloc(&out, 8);
    k<<<2, 1>>>(data, out);
    cudaDeviceSynchronize();
    cudaFree(data);
    cudaFree(out);
    return 0;
}
