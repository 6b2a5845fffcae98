// What a thread reads back need not be what it has written. Near miss: tests/check/pass/faults/read_back.cu.
// flags: --block-dim 64 --verdicts --no-check out-of-bounds
#include <cassert>

__global__ void others_write(int *out) {
    int i = threadIdx.x;
    out[i] = 2;
    assert(out[i] == 2);
    out[i + 1] = 3; //~ WARNING global-race
}

__global__ void behind_a_barrier(int *out) {
    __shared__ int box[64];
    box[threadIdx.x] = 2;
    __syncthreads();
    box[63 - threadIdx.x] = 3;
    __syncthreads();
    assert(box[threadIdx.x] == 2); //~ WARNING assertion-failed
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

__global__ void at_an_index(int *out, int n) {
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        out[0] = 2;
        out[n] = 3;
        assert(out[0] == 2); //~ WARNING assertion-failed
    }
}

__global__ void a_byte(unsigned *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 2;
    reinterpret_cast<unsigned char *>(out + i)[3] = 1;
    assert(out[i] == 2); //~ WARNING assertion-failed
}

__global__ void a_half(unsigned long long *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 2;
    assert(*reinterpret_cast<unsigned *>(out + i) == 2); //~ WARNING assertion-failed
}

__global__ void added(int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 2;
    atomicAdd(&out[i], 1);
    assert(out[i] == 2); //~ WARNING assertion-failed
}

// Others may add: atomic operations do not race.
__global__ void added_by_others(int *out) {
    atomicExch(out, 2);
    assert(atomicAdd(out, 1) == 2); //~ WARNING assertion-failed
}

__global__ void looks_again(volatile int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 2;
    assert(out[i] == 2); //~ WARNING assertion-failed
}

__global__ void through_a_pointer(int *out, int **to) {
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        out[0] = 2;
        **to = 3; //~ WARNING global-race
        assert(out[0] == 2); //~ WARNING assertion-failed
        //~^ WARNING global-race
    }
}

// Of the iteration before.
__global__ void in_a_loop(int *out, int n) {
    if (blockIdx.x == 0 && threadIdx.x == 0)
        for (int i = 0; i < n; i++) {
            assert(i == 0 || out[i] == i); //~ WARNING assertion-failed
            out[i] = i;
        }
}

__global__ void in_a_branch(int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (n > 3)
        out[i] = 2;
    assert(out[i] == 2); //~ WARNING assertion-failed
}

// It is not certain what an assertion sees that races.
__global__ void races(int *out) {
    __shared__ int s;
    s = threadIdx.x; //~ ERROR shared-race
    assert(s != threadIdx.x); //~ WARNING assertion-failed: an assertion may be false
    //~^ ERROR shared-race
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
