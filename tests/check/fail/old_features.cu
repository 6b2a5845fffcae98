// What the architecture that the code is for does not have, and what newer ones no longer have.
// flags: -arch=sm_52
__global__ void k(int *out, double *d, unsigned *u) {
    int v = __shfl_down(*out, 1);                 //~ WARNING sync-mask: deprecated
    u[0] = __match_any_sync(0xffffffff, v);       //~ ERROR invalid-launch: needs compute capability 7.0 or higher
    u[1] = __reduce_add_sync(0xffffffff, u[0]);   //~ ERROR invalid-launch: needs compute capability 8.0 or higher
    atomicAdd(d, 1.0);                            //~ ERROR invalid-launch: needs compute capability 6.0 or higher
#if __CUDA_ARCH__ >= 700
    __nanosleep(10);
#endif
    atomicAdd(out, __shfl_down_sync(0xffffffff, v, 1));
}
