// One of two callers passes a stride under which threads meet. Near miss: the other caller alone.
// flags: --verdicts
// revisions: one both
__global__ void spread(int *data, int stride) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    data[i * stride] = i; //[both]~ ERROR global-race: touch the same bytes
}

static void step(int *data, int stride) {
    spread<<<4, 64>>>(data, stride);
}

int main() {
    int *data;
    cudaMalloc(&data, 4096);
    step(data, 3);
#ifdef REV_both
    step(data, 0);
#endif
    cudaDeviceSynchronize();
    cudaFree(data);
    return 0;
}
