// Signed numbers that grow evenly from lane to lane overflow in some lanes alone: in the last, or only between the first and the last.
// run-flags: --engine jit
// revisions: last between difference word product loop many none
#include <cstdio>

__global__ void k(long long *out, unsigned long long far, int near, int step, int n) {
    int t = threadIdx.x;
    long long number = (long long)(far + t);
#if defined(REV_between)
    // It goes around: the first and the last lane do not overflow.
    out[t] = (number + 3) & 7; //[between]~ WARNING undefined-behavior: signed integer overflow
#elif defined(REV_difference)
    out[t] = (number - (near + 5)) & 7; //[difference]~ WARNING undefined-behavior: signed integer overflow
#elif defined(REV_product)
    out[t] = (number * 6) & 7; //[product]~ WARNING undefined-behavior: signed integer overflow
#else
    out[t] = (number + 5) & 7; //[last]~ WARNING undefined-behavior: signed integer overflow
#endif
    // Of factors that differ in any way, one pair is too large.
    out[t] += ((t * 5) & 63) * (t % 7 == 3 ? near : 2) & 7; //[many,word,loop]~ WARNING undefined-behavior: signed integer overflow
    int word = near + t; //[word]~ WARNING undefined-behavior: signed integer overflow
    out[t] += word & 7;
    for (int turn = 0, j = near + t; turn < n; turn++, j += step) //[word,loop]~ WARNING undefined-behavior: signed integer overflow
        out[t] += j & 7;
}

int main() {
    long long *out;
    cudaMallocManaged(&out, 64 * sizeof *out);
    unsigned long long far = 1000;
    int near = 5, step = 64, n = 2;
#if defined(REV_last)
    far = 0x7fffffffffffffffull - 5 - 62;
#elif defined(REV_between)
    // Lanes 1 to 3 of 64.
    far = 0x7ffffffffffffffcull;
#elif defined(REV_difference)
    // The least number less ten.
    far = 0x8000000000000009ull - 63;
#elif defined(REV_product)
    far = 0x1555555555555555ull - 62;
#elif defined(REV_many)
    near = 0x7fffffff / 62 + 1;
#elif defined(REV_word)
    near = 0x7fffffff - 62;
#elif defined(REV_loop)
    near = 0x7fffffff - 1000, step = 469;
#endif
    k<<<1, 64>>>(out, far, near, step, n);
    printf("%d\n", cudaDeviceSynchronize() == cudaSuccess);
    long long sum = 0;
    for (int i = 0; i < 64; i++) sum = (sum * 7 + out[i] % 1000) % 1000003;
    printf("%lld\n", sum);
    cudaFree(out);
}
