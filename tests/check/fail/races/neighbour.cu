// A thread reads what its neighbour writes: in the same interval, in the next one, in its own place.
// flags: --block-dim 64 --grid-dim 1
// revisions: same next own
__global__ void shift(int *out) {
    __shared__ int box[65];
    box[threadIdx.x] = threadIdx.x; //[same]~ RELATED shared-race
#ifdef REV_next
    __syncthreads();
#endif
#ifdef REV_own
    out[threadIdx.x] = box[threadIdx.x];
#else
    out[threadIdx.x] = box[threadIdx.x + 1]; //[same]~ ERROR shared-race: of `box` without a barrier between them
#endif
}
