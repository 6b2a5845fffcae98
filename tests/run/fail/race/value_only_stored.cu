// What a thread does not decide by orders nothing. The last thread of the warp resets the counter, whose value it knows
// only to store it: had it come first, it would have done the same, and the race is one. Where a branch or an address
// depends on the value, by whatever way, the thread has learned that the others are done.
// revisions: stored added printed_later branched selected by_shared by_global by_call by_pointer by_copy
#include <cstdio>

struct Pair {
    unsigned value, spare;
};

__device__ unsigned kept[32];

__device__ __noinline__ bool is_last(unsigned v) { return v == 31; }
__device__ __noinline__ void put(unsigned* to, unsigned v) { *to = v; }

__global__ void k(unsigned* out) {
    __shared__ unsigned count;
    unsigned t = threadIdx.x;
    if (t == 0) count = 0;
    __syncthreads();
    unsigned v = atomicAdd(&count, 1); //[stored]~ RELATED shared-race
#if defined(REV_stored)
    if (t == 31) count = 7; //[stored]~ ERROR shared-race
    out[t] = v;
#elif defined(REV_added)
    if (t == 31) count = 7; //[added]~ ERROR shared-race
    out[t] = 3 * v + out[t];
#elif defined(REV_printed_later)
    if (t == 31) count = 7; //[printed_later]~ ERROR shared-race
    Pair pair = {v, t};
    Pair copy = pair;
    kept[t] = copy.value;
    out[t] = kept[t];
#elif defined(REV_branched)
    if (v == 31) count = 7;
#elif defined(REV_selected)
    unsigned* to = v == 31 ? &count : &out[t];
    *to = 7;
#elif defined(REV_by_shared)
    __shared__ unsigned seen[32];
    seen[t] = v;
    __syncwarp();
    if (seen[t] == 31) count = 7;
#elif defined(REV_by_global)
    kept[t] = v;
    if (kept[t] == 31) count = 7;
#elif defined(REV_by_call)
    if (is_last(v)) count = 7;
#elif defined(REV_by_pointer)
    put(&kept[t], v);
    if (kept[t] == 31) count = 7;
#else
    Pair pair = {v, t};
    Pair copy;
    memcpy(&copy, &pair, sizeof copy);
    if (copy.value == 31) count = 7;
#endif
}

int main() {
    unsigned* out;
    cudaMalloc(&out, 32 * sizeof *out);
    cudaMemset(out, 0, 32 * sizeof *out);
    k<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
