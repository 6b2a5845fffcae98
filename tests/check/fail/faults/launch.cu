// Launches that no device takes, by what the host's code says. Near miss: as many threads as fit.
// revisions: fits threads deep bounds empty
__global__ void
#ifdef REV_bounds
__launch_bounds__(128)
#endif
one(int *out) {
    out[threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)] = 1;
}

int main() {
    int *out;
    cudaMalloc(&out, 16384);
    int side = 32;
#if defined REV_threads
    one<<<1, dim3(side, side, 2)>>>(out); //[threads]~ ERROR invalid-launch: a block of 2048 threads is launched, and no device takes more than 1024
#elif defined REV_deep
    one<<<1, dim3(1, 1, side * 4)>>>(out); //[deep]~ ERROR invalid-launch: a block is launched with 128 threads along z, and no device takes more than 64
#elif defined REV_bounds
    one<<<1, dim3(side, 8)>>>(out); //[bounds]~ ERROR invalid-launch: a block of 256 threads is launched, and `__launch_bounds__` allows 128
#elif defined REV_empty
    one<<<0, side>>>(out); //[empty]~ ERROR invalid-launch: the grid has no blocks, or the block no threads
#else
    one<<<1, dim3(side, side)>>>(out);
#endif
    cudaDeviceSynchronize();
    cudaFree(out);
    return 0;
}
