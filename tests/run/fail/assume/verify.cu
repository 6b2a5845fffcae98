// The annotations of cudair/verify.h that can be evaluated are checked; a false one is found at its place.
// revisions: requires assume assert invariant implied axiom right
#include <cudair/verify.h>

#ifdef REV_axiom
__axiom(blockDim.x == 16); //[axiom]~ ERROR assumption-failed: the assumption `blockDim.x == 16` does not hold
#else
__axiom(blockDim.x == 8);
#endif

__device__ int twice(int x) {
#ifdef REV_requires
    __requires(x != 3); //[requires]~ ERROR assumption-failed: the assumption `x != 3` does not hold
#endif
    __requires(x < 8);
    __ensures(__return_val_int() == 2 * x);
    return 2 * x;
}

__global__ void k(int *out, int n) {
#ifdef REV_assume
    __assume(n == 9); //[assume]~ ERROR assumption-failed: the assumption `n == 9` does not hold
#endif
    __assume(n == 8);
    int sum = 0;
    for (int i = 0;
#ifdef REV_invariant
         __invariant(i < n), //[invariant]~ ERROR assertion-failed: the assertion `i < n` failed
#endif
#ifdef REV_implied
         __invariant(__implies(__enabled(), sum < 56)), //[implied]~ ERROR assertion-failed: the assertion `__implies(__enabled(), sum < 56)` failed
#endif
         __invariant(i <= n), __global_invariant(__implies(__enabled(), sum <= 56)), i < n; ++i)
        sum += twice(i);
#ifdef REV_assert
    __assert(sum != 56); //[assert]~ ERROR assertion-failed: the assertion `sum != 56` failed
#endif
    __assert(sum == 56);
    out[threadIdx.x] = sum;
}

int main() {
    int *out;
    cudaMalloc(&out, 8 * sizeof(int));
    k<<<1, 8>>>(out, 8);
    cudaDeviceSynchronize();
    cudaFree(out);
    return 0;
}
