// Two threads that write one value to one place in every launch: a warning, as a run has it. Near misses: an argument or
// data decides whether they come, and nobody knows what happens behind a barrier to which not all come.
// flags: --block-dim 64 --grid-dim 2
// revisions: plain strict verdicts
//[strict] flags: --strict
//[verdicts] flags: --verdicts
__global__ void constant(int *out) {
    __shared__ int box[4];
    box[threadIdx.x % 4] = 7; //[plain,verdicts]~ WARNING shared-race: threads 3 and 31 of block 0 touch the same bytes of `box`
    //[strict]~^ ERROR shared-race: threads 3 and 31 of block 0
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = box[threadIdx.x % 4];
}

// What memory holds at one place.
__global__ void copied(const float *from, float *out) {
    for (int i = 0; i < 4; i++)
        out[i] = from[i]; //[plain,verdicts]~ WARNING global-race: threads 0 and 1 of block 0 touch
    //[strict]~^ ERROR global-race: threads 0 and 1 of block 0 touch
}

// At one place the worst is told: others write something else.
__global__ void some_differ(int *out) {
    out[threadIdx.x / 8] = threadIdx.x / 2; //~ ERROR global-race: threads 0 and 2 of block 0 touch
}

__global__ void by_argument(int *out, int n) {
    if (n == 3)
        out[0] = 1; //[strict]~ ERROR global-race: two threads of a block may touch
    //[verdicts]~^ WARNING global-race: two threads of a block may touch
}

__global__ void by_data(const int *data, int *out) {
    if (data[threadIdx.x] > 0)
        out[0] = 1; //[strict]~ ERROR global-race: two threads of a block may touch
    //[verdicts]~^ WARNING global-race: two threads of a block may touch
}

__global__ void behind_a_barrier(int *out) {
    if (threadIdx.x != 5)
        __syncthreads(); //~ ERROR barrier-divergence
    if (threadIdx.x != 5)
        out[blockIdx.x] = threadIdx.x; //[strict]~ ERROR global-race: two threads of a block may touch
    //[verdicts]~^ WARNING global-race: two threads of a block may touch
}

// Of a race in front of the barrier that is known.
__global__ void in_front_of_it(int *out) {
    __syncthreads();
    out[blockIdx.x] = threadIdx.x; //~ ERROR global-race: threads 0 and 1 of block 0 touch
    if (threadIdx.x != 5)
        __syncthreads(); //~ ERROR barrier-divergence
    out[blockDim.x * (blockIdx.x + 1) + threadIdx.x] = 1;
}
