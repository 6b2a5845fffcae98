// A mask of the whole warp in a block of sixteen threads names lanes that there are not: a note, as every device goes on without
// them. The near miss names those that there are.
// revisions: whole strict those
//[strict] flags: --strict
__global__ void k(int *out) {
#ifdef REV_those
    const unsigned mask = 0xffff;
#else
    const unsigned mask = 0xffffffff;
#endif
    int v = __shfl_xor_sync(mask, threadIdx.x, 1);
    //[whole]~^ NOTE sync-mask: names lanes that the block does not have
    //[strict]~^^ ERROR sync-mask: names lanes that the block does not have
    out[threadIdx.x] = v;
}

int main() {
    int *out;
    cudaMalloc(&out, 16 * sizeof(int));
    k<<<1, 16>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
    return 0;
}
