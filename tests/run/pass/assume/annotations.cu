// What is not evaluated: an assumption with a side effect, hints, and conditions of which a part is not known.
#include <assert.h>
#include <cudair/verify.h>
#include <stdio.h>

__host__ __device__ int touch(int *calls) { return ++*calls; }

__global__ void hints(int *out, int *calls, int n) {
    // The builtin does not evaluate what may have a side effect; a function evaluates its argument once.
    __builtin_assume(++*calls < 0);
    __builtin_assume(touch(calls) < 0);
    __cudair_assume(touch(calls) == 1);
    __cudair_assert(touch(calls) == 2);
    __builtin_assume(__builtin_popcount(n) == 1);
    // Of none of these a thread knows whether it holds, nor does it touch memory for it.
    const int *nowhere = nullptr;
    __requires(__no_read(out) & (*nowhere == 1));
    __requires_fresh_array(out);
    __assert(!__no_write(out) | n == 5);
    __assert(__all(n == 5));
    __assert(__implies(__enabled(), __other_int(n) == n + 1));
    __assert(__same_group && n == 5);
    __assert(__distinct_int(n));
    __ensures(n == 5);
    __ensures(__old_int(n) != n);
    __candidate_invariant(n == 5);
    __function_wide_invariant(n == 5);
    for (int i = 0; __invariant(__write_implies(out, __write_offset_bytes(out) / sizeof(int) == 99)), i < 2; ++i)
        out[i] = i;
    // What decides is evaluated first, and nothing after it.
    __assert(__implies(n == 5, *nowhere == 1));
    __assert(__is_pow2(n) && __mod_pow2(n + 1, n) == 1);
}

int main() {
    int calls = 0;
    __builtin_assume(touch(&calls) < 0);
    __cudair_assume(touch(&calls) == 1);
    __requires(calls == 1);
    int *out, *dev, host[2];
    cudaMalloc(&out, 2 * sizeof(int));
    cudaMalloc(&dev, sizeof(int));
    cudaMemset(dev, 0, sizeof(int));
    hints<<<1, 1>>>(out, dev, 4);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    int on_device;
    cudaMemcpy(&on_device, dev, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d %d, %d %d\n", calls, on_device, host[0], host[1]);
    cudaFree(out);
    cudaFree(dev);
    return 0;
}
