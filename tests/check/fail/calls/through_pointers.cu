// Calls through pointers: one of two functions races, and the pointer may be none.
// flags: --block-dim 64 --grid-dim 1 --verdicts
typedef void (*Change)(float *, unsigned);

__device__ void own(float *v, unsigned i) {
    v[i] *= 2;
}

__device__ void next(float *v, unsigned i) {
    v[i] = v[i + 1]; //~ WARNING global-race: two threads of a block may touch the same bytes
    //~^ ERROR global-race: threads 1 and 0 of block 0 touch the same bytes
}

// Which one it is hangs on an argument.
__global__ void chosen(float *v, int which) {
    Change change = which ? own : next;
    change(v, threadIdx.x);
}

__global__ void racy(float *v) {
    Change change = next;
    change(v, threadIdx.x);
}

__global__ void may_be_null(float *v, int which) {
    Change change = nullptr;
    if (which)
        change = own;
    change(v, threadIdx.x); //~ WARNING undefined-behavior: a thread may call through a pointer that is no function
}

__global__ void never_one(float *v) {
    Change change = (Change)5;
    change(v, threadIdx.x); //~ ERROR undefined-behavior: every thread calls through a pointer that is no function
}

__global__ void some_threads(float *v) {
    Change change = threadIdx.x < 32 ? own : nullptr;
    change(v, threadIdx.x); //~ ERROR undefined-behavior: thread 32 of block 0 calls through a pointer that is no function
}
