// Kernels that are right in this run, and hang on data: each for a reason of its own, none is proved by the run.
// by-run: branches a branch depends on the value loaded at line 37
// by-run: switches a branch depends on the value loaded at line 40
// by-run: addresses an address depends on the value loaded at line 48
// by-run: trips a branch depends on the value loaded at line 51
// by-run: waits a branch depends on the value loaded at line 56
// by-run: masks which lanes take part depends on the value loaded at line 59
// by-run: constants an address depends on the constant memory read at line 64
// by-run: atomics an address depends on the result of the atomic operation at line 68
// by-run: shuffles an address depends on the value loaded at line 72
// by-run: votes a branch depends on the value loaded at line 77
// by-run: counts a branch depends on the value loaded at line 83
// by-run: clocks an address depends on the clock read at line 86
// by-run: lanes an address depends on the order of threads, asked for at line 89
// by-run: processors an address depends on the order of threads, asked for at line 94
// by-run: allocates what is called here is not followed
// by-run: calls what is called here is not followed
// by-run: copies the length of a copy depends on the value loaded at line 110
// by-run: divides a divisor depends on the value loaded at line 113
// by-run: volatiles a volatile access may see one value or another
// by-run: fences the order of threads may come of this
// by-run: ordered the order of threads may come of this
// by-run: assumes a branch depends on the value loaded at line 130
// by-run: asserts a branch depends on the value loaded at line 135
// by-run: variables an address depends on the value loaded at line 142
// by-run: helped an address depends on the value loaded at line 145
// by-run: texts what is called here is not followed
// by-run: shared an address depends on the value loaded at line 162
// by-run: pointers an address depends on the value loaded at line 165
// by-run: chosen an address depends on the value loaded at line 169
// by-run: locks a branch depends on the result of the atomic operation at line 174
// by-run: loops an address depends on the value loaded at line 180
#include <cassert>
#include <cstdio>

__global__ void branches(int *p) {
    if (p[threadIdx.x] == 0) p[32 + threadIdx.x] = 1;
}
__global__ void switches(int *p) {
    switch (p[threadIdx.x]) {
    case 0: p[32 + threadIdx.x] = 3; break;
    case 1: p[64 + threadIdx.x] = 1; break;
    case 7: __threadfence(); break;
    default: p[96 + threadIdx.x] = 2;
    }
}
__global__ void addresses(int *p, const int *index) {
    p[index[threadIdx.x]] = 1;
}
__global__ void trips(int *p, const int *n) {
    for (int i = 0; i < n[0]; i++) p[32 * i + threadIdx.x] = i;
}
__global__ void waits(int *p, const int *n) {
    __shared__ int box[32];
    box[threadIdx.x] = 1;
    if (n[0] == 0) __syncthreads();
    p[threadIdx.x] = box[threadIdx.x];
}
__global__ void masks(const int *full) { __syncwarp(full[0]); }

__constant__ int table[32];
__global__ void constants(int *p) {
    int i =
        table[threadIdx.x];
    p[i] = 1;
}
__global__ void atomics(int *p, int *count) {
    int i = atomicAdd(count, 1);
    p[i] = 1;
}
__global__ void shuffles(int *p, const int *index) {
    int i = index[threadIdx.x];
    p[__shfl_xor_sync(0xffffffff, i, 1)] = 1;
}
__global__ void votes(int *p) {
    bool all =
        __all_sync(0xffffffff, p[threadIdx.x] == 0);
    if (all) p[threadIdx.x] = 1;
}
__global__ void counts(int *p) {
    int n =
        __syncthreads_count(
            p[threadIdx.x] == 0);
    if (n == 32) p[threadIdx.x] = 1;
}
__global__ void clocks(int *p) { p[2 * threadIdx.x + (clock64() & 1)] = 1; }

__global__ void lanes(int *p) {
    unsigned active = __activemask();
    p[2 * threadIdx.x + (active & 1)] = 1;
}
__device__ unsigned processor() {
    unsigned id;
    asm volatile(
        "mov.u32 %0, %%smid;" : "=r"(id));
    return id;
}
__global__ void processors(int *p) { p[2 * threadIdx.x + (processor() & 1)] = 1; }

__global__ void allocates(int *p) {
    int *own = static_cast<int *>(malloc(4));
    if (own != nullptr) p[threadIdx.x] = *own = 1;
    free(own);
}
__device__ __noinline__ void one(int *p) { p[threadIdx.x] = 1; }
__device__ void (*volatile which)(int *) = one;
__global__ void calls(int *p) { which(p); }

__global__ void copies(int *p, const int *n) {
    memset(p + 4 * threadIdx.x, 0, n[0]);
}

__global__ void divides(int *p, const int *by) { p[threadIdx.x] = 100 / by[0]; }

__global__ void volatiles(volatile int *p) { p[threadIdx.x] = p[threadIdx.x] + 1; }

// Without a strong access a fence orders nothing.
__global__ void fences(int *p, int *count) {
    p[threadIdx.x] = 1;
    __threadfence();
    atomicAdd(count, 1);
}
__device__ int flag;
__global__ void ordered(int *p) {
    p[threadIdx.x] = 1;
    __nv_atomic_store_n(&flag, 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
}
__global__ void assumes(int *p) {
    int v =
        p[0];
    __builtin_assume(v == 0);
    p[32 + threadIdx.x] = v;
}
__global__ void asserts(int *p) {
    assert(p[0] == 0);
    p[32 + threadIdx.x] = 1;
}
__global__ void variables(int *p, const int *index) {
    int own[4];
    for (int k = 0; k < 4; k++)
        own[k] =
            index[k];
    p[4 * threadIdx.x + own[(threadIdx.x & 3)]] = 1;
}
__device__ __noinline__ int follow(const int *index, int i) { return index[i]; }
__device__ __noinline__ void put(int *p, int i) { p[i] = 1; }
__device__ __noinline__ int
go(const int *index, int n) {
    return n == 0 ? follow(index, threadIdx.x) : go(index, n - 1);
}
__global__ void helped(int *p, const int *index) { put(p, go(index, 3)); }

__global__ void texts(const char *text) {
    if (threadIdx.x == 0) printf("%s.\n", text);
}
__global__ void shared(int *p, const int *index) {
    __shared__ int box[32];
    box[threadIdx.x] = index[threadIdx.x];
    __syncthreads();
    int i =
        // The box holds data.
        box[31 - threadIdx.x];
    p[i] = 1;
}
__global__ void pointers(int **all) { *all[threadIdx.x] = 1; }

// Which of two pointers it is hangs on data, without a branch.
__global__ void chosen(int *p, int *q, const int *index) {
    int *r = index[0] == 0 ? p : q;
    r[threadIdx.x] = 1;
}
__device__ int mutex;
__global__ void locks(int *p) {
    while (atomicCAS(&mutex, 0, 1) != 0) {}
    atomicExch(&mutex, 0);
    p[threadIdx.x] = 1;
}
__global__ void loops(int *p, const int *next, int n) {
    int at = threadIdx.x;
    for (int k = 0; k < n; k++) at = next[at];
    p[at] = 1;
}

int main() {
    const int n = 4096;
    int *p, *z, *id, *count, **all;
    cudaMalloc(&p, n * sizeof(int));
    cudaMalloc(&z, n * sizeof(int));
    cudaMalloc(&id, 32 * sizeof(int));
    cudaMalloc(&count, sizeof(int));
    cudaMalloc(&all, 32 * sizeof(int *));
    cudaMemset(p, 0, n * sizeof(int));
    cudaMemset(z, 0, n * sizeof(int));
    cudaMemset(count, 0, sizeof(int));
    int h[32], *at[32];
    for (int i = 0; i < 32; i++) h[i] = i, at[i] = p + i;
    cudaMemcpy(id, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemcpy(all, at, sizeof at, cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(table, h, sizeof h);
    branches<<<1, 32>>>(p);
    cudaMemset(p, 0, n * sizeof(int));
    switches<<<1, 32>>>(p);
    addresses<<<1, 32>>>(p, id);
    trips<<<1, 32>>>(p, id + 3);
    waits<<<1, 32>>>(p, z);
    int full = -1;
    cudaMemcpy(count, &full, sizeof full, cudaMemcpyHostToDevice);
    masks<<<1, 32>>>(count);
    cudaMemset(count, 0, sizeof(int));
    constants<<<1, 32>>>(p);
    atomics<<<1, 32>>>(p, count);
    shuffles<<<1, 32>>>(p, id);
    votes<<<1, 32>>>(p);
    counts<<<1, 32>>>(p);
    clocks<<<1, 32>>>(p);
    lanes<<<1, 32>>>(p);
    processors<<<1, 32>>>(p);
    allocates<<<1, 32>>>(p);
    calls<<<1, 32>>>(p);
    copies<<<1, 32>>>(p, id + 16);
    divides<<<1, 32>>>(p, id + 1);
    volatiles<<<1, 32>>>(p);
    fences<<<1, 32>>>(p, count);
    ordered<<<1, 1>>>(p);
    cudaMemset(p, 0, n * sizeof(int));
    assumes<<<1, 32>>>(p);
    asserts<<<1, 32>>>(p);
    variables<<<1, 32>>>(p, id);
    helped<<<1, 32>>>(p, id);
    const char text[] = "text";
    cudaMemcpy(count, text, sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(z + 100, text, sizeof text, cudaMemcpyHostToDevice);
    texts<<<1, 32>>>(reinterpret_cast<char *>(z + 100));
    shared<<<1, 32>>>(p, id);
    pointers<<<1, 32>>>(all);
    chosen<<<1, 32>>>(p, p + 64, z);
    locks<<<1, 4>>>(p);
    loops<<<1, 32>>>(p, id, 3);
    cudaDeviceSynchronize();
    cudaFree(p);
    cudaFree(z);
    cudaFree(id);
    cudaFree(count);
    cudaFree(all);
    return 0;
}
