// A barrier behind a branch on what memory holds, in memory that the kernel writes: no write races with the load, so all
// threads of the block load the same. Near misses: tests/check/fail/barriers/unstable_loads.cu.
// flags: --block-dim 64 --verdicts

struct Node { int begin, end; };

// Each block reads an element of its own, and writes others.
__global__ void own_element(Node *nodes, int *out, int kids) {
    Node n = nodes[blockIdx.x];
    for (int i = n.begin; i < n.end; i++) {
        out[blockIdx.x * blockDim.x + threadIdx.x] += i;
        __syncthreads();
    }
    if (threadIdx.x == 0) nodes[gridDim.x + blockIdx.x].begin = kids;
}

// A queue of work: one element is shared, the others are the threads' own.
__global__ void queue(int *next, int n) {
    __shared__ int s[65];
    for (;;) {
        if (threadIdx.x == 0) s[0] = atomicAdd(next, 1);
        __syncthreads();
        int w = s[0];
        s[1 + threadIdx.x] = w;
        if (w >= n) break;
        __syncthreads();
    }
}

// What one such load gives is the address of another.
__global__ void chain(int *out) {
    __shared__ int s[130];
    s[threadIdx.x] = threadIdx.x % 7;
    s[64 + threadIdx.x] = threadIdx.x;
    __syncthreads();
    int i = s[3];
    s[66 + threadIdx.x] = i;
    int j = s[i & 31];
    if (j > 2) __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = j;
}
