// Which of two accesses belongs to a loop's next iteration is told where barriers leave no other way.
// flags: --block-dim 64 --grid-dim 1 --assume n==3
// revisions: inner outer same
__global__ void k(const int *in, int *out, int n) {
    __shared__ int base;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < 4; i++) {
#ifdef REV_inner
            if (threadIdx.x == 0) base = in[i]; //[inner]~ RELATED shared-race
            __syncthreads();
            out[threadIdx.x] += base; //[inner]~ ERROR shared-race
#endif
        }
#ifdef REV_outer
        if (threadIdx.x == 0) base = in[j]; //[outer]~ RELATED shared-race
        __syncthreads();
        for (int i = 0; i < 4; i++) out[threadIdx.x] += base; //[outer]~ ERROR shared-race
#endif
#ifdef REV_same
        if (threadIdx.x == 0) base = in[j]; //[same]~ RELATED shared-race
        out[threadIdx.x] += base;           //[same]~ ERROR shared-race
        __syncthreads();
#endif
    }
}
