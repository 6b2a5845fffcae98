// Regions as JSON, of one shape; and what could not be followed.
// flags: --emit regions --format json --block-dim 32 --grid-dim 4
extern "C" __device__ void elsewhere(int *);
__global__ void k(int *p) {
    p[blockIdx.x * 32 + threadIdx.x] = 1;
    __syncthreads();
    for (int i = 0; i < 3; i++) p[i] = p[i + 1];
}
