// Facts as JSON.
// flags: --emit facts --format json
__global__ void k(int *out) { out[threadIdx.x] = blockDim.x; }
