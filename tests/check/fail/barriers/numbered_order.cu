// What barriers with numbers order, and what not: only one at which the whole block meets is known to.
// flags: --verdicts

// All threads meet, but the second write is behind no barrier.
__global__ void behind(int *out) {
    __shared__ int s[65];
    s[threadIdx.x] = out[threadIdx.x];
    asm volatile("bar.sync 1, 64;" ::: "memory");
    out[threadIdx.x] = s[threadIdx.x + 1]; //~ WARNING uninitialized-read
    s[threadIdx.x] = 3; //~ ERROR shared-race: threads 1 and 0 of block 0 touch the same bytes of `s`
}

__global__ void before(int *out) {
    __shared__ int s[65];
    s[threadIdx.x] = 1;
    s[threadIdx.x + 1] = 2; //~ ERROR shared-race
    asm volatile("bar.sync 1, 64;" ::: "memory");
    out[threadIdx.x] = s[threadIdx.x];
}

// A barrier of some threads may order two of them: behind it no race is certain.
__global__ void of_some(int *out) {
    __shared__ int s[65];
    if (threadIdx.x < 32) {
        s[threadIdx.x] = 1;
        asm volatile("bar.sync 1, 32;" ::: "memory");
        s[threadIdx.x + 1] = 2; //~ WARNING shared-race
    }
}

// All meet at number 2, whatever some do at number 1.
__global__ void two_numbers(int *out) {
    __shared__ int s[65];
    if (threadIdx.x < 32)
        asm volatile("bar.sync 1, 32;" ::: "memory");
    s[threadIdx.x] = out[threadIdx.x];
    asm volatile("bar.sync 2, 64;" ::: "memory");
    out[threadIdx.x] = s[63 - threadIdx.x];
    s[threadIdx.x] = 1; //~ WARNING shared-race
}

// One number for some, then for all: nobody says which phase is which.
__global__ void one_number(int *out) {
    __shared__ int s[65];
    if (threadIdx.x < 32)
        asm volatile("bar.sync 1, 32;" ::: "memory"); //~ WARNING barrier-divergence
    s[threadIdx.x] = out[threadIdx.x];
    asm volatile("bar.sync 1, 64;" ::: "memory");
    s[63 - threadIdx.x] = 3; //~ WARNING shared-race
}

// The producer does not wait, and the consumer does: the one's writes come before the other's.
__global__ void arrives(int *out) {
    __shared__ int s[32];
    if (threadIdx.x < 32) {
        s[threadIdx.x] = out[threadIdx.x];
        asm volatile("bar.arrive 1, 64;" ::: "memory");
    } else {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        s[63 - threadIdx.x] = 3; //~ WARNING shared-race
    }
}

// Nobody comes past the barrier: what is behind it does not happen.
__global__ void never(int *out) {
    __shared__ int s;
    asm volatile("bar.sync 1, 96;" ::: "memory"); //~ ERROR barrier-divergence
    out[threadIdx.x] = s + 1; //~ WARNING uninitialized-read
    out[0] = threadIdx.x; //~ WARNING global-race
}

int main() {
    int *p;
    cudaMalloc(&p, 4096);
    behind<<<1, 64>>>(p);
    before<<<1, 64>>>(p);
    of_some<<<1, 64>>>(p);
    two_numbers<<<1, 64>>>(p);
    one_number<<<1, 64>>>(p);
    arrives<<<1, 64>>>(p);
    never<<<1, 64>>>(p);
}
