// Lanes that run together come to a branch and differ there: each way is run for the lanes that take it, and what the others would
// do there is not seen.
// run-flags: --engine jit
// revisions: outside uninit divide overflow write_twice read_write global none
#include <cstdio>

__global__ void k(int *out, const int *in, const int *at, int n) {
    __shared__ int s[64];
    int i = threadIdx.x, x = in[i];
#if defined(REV_uninit)
    if (i != 9) s[i] = x;
#else
    s[i] = x;
#endif
    __syncthreads();
    // Of the lanes that do not come here, indices are outside, memory is not written, divisors are zero, sums overflow.
    if (x % 3 == 1) {
        int far = at[i];
#if defined(REV_outside)
        if (i == 10) far = 64;
        x = s[far]; //[outside]~ ERROR out-of-bounds
#elif defined(REV_uninit)
        x = s[i == 10 ? 9 : far]; //[uninit]~ ERROR uninitialized-read
#elif defined(REV_divide)
        x = n / (in[i] - (i == 10 ? x : 0)); //[divide]~ ERROR undefined-behavior: division by zero
#elif defined(REV_overflow)
        x = (i == 10 ? 2147483647 : x) + x; //[overflow]~ WARNING undefined-behavior: signed integer overflow
#elif defined(REV_write_twice)
        s[i == 13 ? 10 : i] = x; //[write_twice]~ ERROR shared-race
#elif defined(REV_read_write)
        x = s[i == 13 ? 10 : i]; //[read_write]~ ERROR shared-race
        s[i] = x; //[read_write]~ RELATED shared-race
#elif defined(REV_global)
        out[i == 10 ? 64 : i] = x; //[global]~ ERROR out-of-bounds
#else
        s[i] = far + far - x + s[far];
        x = n / far + s[i];
        if (far > 20) {
            s[i] += x;
            out[i] = far;
        } else {
            out[i] = s[far];
        }
#endif
    } else if (x % 3 == 2) {
        x = 21474 - x;
        s[i] = x;
    } else {
        x = at[64 - i] + x;
    }
    __syncthreads();
#if defined(REV_uninit)
    if (i == 9) s[i] = x;
    __syncthreads();
#endif
    out[i] += s[63 - i] + n - x / 2;
}

int main() {
    int *out, *in, *at;
    cudaMallocManaged(&out, 64 * sizeof(int));
    cudaMallocManaged(&in, 64 * sizeof(int));
    cudaMallocManaged(&at, 65 * sizeof(int));
    for (int i = 0; i < 64; i++) {
        in[i] = i, out[i] = 0;
        at[i] = i % 3 == 1 ? i : i % 3 == 2 ? 1 << 30 : 0;
    }
    at[64] = 3;
    k<<<1, 64>>>(out, in, at, 7);
    cudaDeviceSynchronize();
#if defined(REV_none)
    unsigned sum = 0;
    for (int i = 0; i < 64; i++) sum = sum * 31 + out[i];
    if (sum == 0) printf("%u\n", sum);
#endif
    cudaFree(out);
    cudaFree(in);
    cudaFree(at);
}
