// Every thread of a block writes one shared variable, or one thread does.
// flags: --block-dim 64 --grid-dim 1
// revisions: all one
__global__ void last(int *out) {
    __shared__ int number;
#ifdef REV_one
    if (threadIdx.x == 63)
#endif
        number = threadIdx.x; //[all]~ ERROR shared-race: threads 0 and 1 of block 0 touch the same bytes of `number`
    __syncthreads();
    out[threadIdx.x] = number;
}
