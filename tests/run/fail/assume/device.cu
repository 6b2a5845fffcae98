// A false assumption ends the launch, as a false assertion does. The near miss states what holds.
// revisions: builtin own assertion right
#include <stdio.h>

__global__ void k(int *out, int n) {
#ifdef REV_builtin
    __builtin_assume(n > 0 && n < 8); //[builtin]~ ERROR assumption-failed: the assumption `n > 0 && n < 8` does not hold
#elif defined REV_own
    __cudair_assume(n + (int)threadIdx.x < 8); //[own]~ ERROR assumption-failed: the assumption `n + (int)threadIdx.x < 8` does not hold
#elif defined REV_assertion
    __cudair_assert(n + (int)threadIdx.x <
                    8); //[assertion]~^ ERROR assertion-failed: the assertion `n + (int)threadIdx.x < 8` failed
#else
    __builtin_assume(n > 0 && n < 9);
    __cudair_assume(n + (int)threadIdx.x < 12);
    __cudair_assert(n + (int)threadIdx.x < 12);
#endif
    out[threadIdx.x] = n;
}

int main() {
    int *out;
    cudaMalloc(&out, 4 * sizeof(int));
    k<<<1, 4>>>(out, 8);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaFree(out);
    return 0;
}
