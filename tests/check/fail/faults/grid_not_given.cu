// A block far out, in a grid that only the run knows, is no witness: possible, not certain. Near miss: the grid is told.
// flags: --verdicts
// revisions: any told
#include <cstdlib>

__global__ void fill(int *out) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1; //[any]~ WARNING out-of-bounds: a thread may touch bytes outside of what `out` points to
    //[any]~^ WARNING global-race: threads of two blocks may touch the same bytes
}

int main(int argc, char **argv) {
    int blocks = 4;
#ifdef REV_any
    blocks = atoi(argv[argc - 1]);
#endif
    int *out;
    cudaMalloc(&out, 4 * 64 * sizeof(int));
    fill<<<blocks, 64>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
    return 0;
}
