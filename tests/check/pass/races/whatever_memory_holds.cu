// One place that memory tells, and one thread that writes there. Near miss: tests/check/fail/races/whatever_memory_holds.cu.
// flags: --block-dim 64 --grid-dim 1 --verdicts --strict --no-check out-of-bounds
__global__ void first_thread(const int *at, int *out) {
    if (threadIdx.x == 0)
        out[*at] = 1;
}

__global__ void beside_it(unsigned *count, int *out) {
    out[64 * atomicOr(count, 0u) + threadIdx.x] = threadIdx.x;
}
