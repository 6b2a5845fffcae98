// Assertions about what a thread has written itself are false where no other thread of the launch writes there. Near misses
// are possible, no more: another one may write, or nobody knows what was written.
// flags: --block-dim 4 --grid-dim 2 --verdicts --no-check out-of-bounds
#include <cassert>

__global__ void counted(int *c) {
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        *c = 0;
        atomicAdd(c, 3);
        atomicSub(c, 1);
        assert(*c == 1); //~ ERROR assertion-failed: an assertion is false for thread 0 of block 0
    }
}

__global__ void exchanged(unsigned *own) {
    unsigned *c = own + 4 * blockIdx.x + threadIdx.x;
    *c = threadIdx.x;
    unsigned old = atomicCAS(c, 2u, 9u);
    if (old == 2)
        old = atomicExch(c, 5u);
    assert(old != 9); //~ ERROR assertion-failed: an assertion is false for thread 2 of block
}

__global__ void shared(int *out) {
    __shared__ int box[4];
    box[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[4 * blockIdx.x + threadIdx.x] = 1;
    assert(box[threadIdx.x] < 3); //~ ERROR assertion-failed: an assertion is false for thread 3 of block
}

// The bytes of a word, one of which is written again.
__global__ void in_parts(unsigned *own) {
    unsigned *c = own + 4 * blockIdx.x + threadIdx.x;
    *c = 0x01020304;
    reinterpret_cast<unsigned char *>(c)[1] = 9;
    assert(*c != 0x01020904); //~ ERROR assertion-failed: an assertion is false for thread
}

__global__ void another_writes(int *c) {
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        *c = 0;
        assert(*c == 1); //~ WARNING assertion-failed: an assertion may be false
    }
    if (threadIdx.x == 1)
        *c = 1; //~ ERROR global-race
}

// By an atomic operation: no race with another one.
__global__ void another_adds(int *c) {
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        atomicExch(c, 0);
        assert(atomicAdd(c, 0) == 1); //~ WARNING assertion-failed: an assertion may be false
    }
    if (threadIdx.x == 1)
        atomicAdd(c, 1);
}

// The two pointers may be one.
__global__ void through_another(int *c, int *d) {
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        *c = 0;
        assert(*c == 1); //~ WARNING assertion-failed: an assertion may be false
    }
    if (blockIdx.x == 0 && threadIdx.x == 1)
        *d = 1;
}

__global__ void own_other(int *c, int *d) {
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        *c = 0;
        *d = 1;
        assert(*c == 1); //~ WARNING assertion-failed: an assertion may be false
    }
}

__global__ void somewhere(int *c, int n) {
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        c[0] = 0;
        c[n] = 1;
        assert(c[0] == 1); //~ WARNING assertion-failed: an assertion may be false
    }
}

__global__ void adds_to_unknown(int *c) {
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        atomicAdd(c, 1);
        assert(*c != 1); //~ WARNING assertion-failed: an assertion may be false
    }
}

__global__ void looks_again(volatile int *c) {
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        *c = 0;
        assert(*c == 1); //~ WARNING assertion-failed: an assertion may be false
    }
}

// Another block has a variable of its own; another thread of the block has not.
__global__ void of_the_block(int n) {
    __shared__ int s;
    if (threadIdx.x == 0) {
        s = 0;
        assert(s == 1); //~ WARNING assertion-failed: an assertion may be false
    }
    if (blockIdx.x == 1 && threadIdx.x == 1)
        s = 1; //~ ERROR shared-race
}
