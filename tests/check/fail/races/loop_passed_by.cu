// A loop that some threads pass by says nothing about them: what it does in its last iteration must not exclude that two
// of them meet behind it. Near miss: one thread writes.
// flags: --block-dim 64 --grid-dim 1
// revisions: all one
__global__ void passed_by(int *out) {
    __shared__ int first;
    int sum = 0;
    if (threadIdx.x % 4 == 0) {
        for (int i = 0; i < 3; i++)
            sum += i;
    }
#ifdef REV_one
    if (threadIdx.x == 3)
#endif
        first = threadIdx.x; //[all]~ ERROR shared-race: of `first` without a barrier between them
    out[threadIdx.x] = sum;
}
