// Lanes that run together leave a loop at different turns: what those do that turn on is found, and what those would do that have
// left is not.
// run-flags: --engine jit
// revisions: outside uninit divide overflow counter write_twice read_write global unwritten none
#include <cstdio>

__global__ void k(int *out, const int *in, const int *next, int n) {
    __shared__ int s[64], w[64];
    int i = threadIdx.x, at = i, turns = 0, sum = 0, from = n - 1;
#if defined(REV_unwritten)
    if (i != 40) s[i] = in[i];
#else
    s[i] = in[i];
#endif
    __syncthreads();
    // Lane `i` leaves after `i % 8` turns: what it would do in its next turn is an error each time.
    while (turns < (i & 7)) {
        bool last = i == 13 && turns == 4;
        int x = s[at == 40 ? 41 : at];
#if defined(REV_outside)
        x += in[last ? 64 : at]; //[outside]~ ERROR out-of-bounds
#elif defined(REV_uninit)
        x += next[last ? 71 : at]; //[uninit]~ ERROR uninitialized-read
#elif defined(REV_divide)
        x += n / (last ? turns - 4 : turns - (i & 7)); //[divide]~ ERROR undefined-behavior: division by zero
#elif defined(REV_overflow)
        sum += last ? 2147483647 : 1; //[overflow]~ WARNING undefined-behavior: signed integer overflow
#elif defined(REV_write_twice)
        w[last ? 41 : i] = x; //[write_twice]~ ERROR shared-race
#elif defined(REV_global)
        out[last ? -1 : i] = x; //[global]~ ERROR out-of-bounds
#elif defined(REV_read_write)
        if (i != 12) w[i] = x; //[read_write]~ RELATED shared-race
        if (i == 12 && turns == 2) x += w[13]; //[read_write]~ ERROR shared-race
#elif defined(REV_unwritten)
        x += s[last ? 40 : i]; //[unwritten]~ ERROR uninitialized-read
#endif
        // Of a lane that has left: outside, zero, an overflow.
        x += in[at < 64 ? at : at * 1000] / ((i & 7) - turns);
        if (x & 1) {
            sum += x;
            at = next[at];
        } else {
            sum ^= x - 2147483647 / ((i & 7) - turns);
            at = (at + 8) % 64;
        }
        sum &= 0xffff;
        turns++;
#if defined(REV_counter)
        from += last ? 2147483647 : 1; //[counter]~ WARNING undefined-behavior: signed integer overflow
#else
        from += 2147483647 / 8 - n;
#endif
    }
    __syncthreads();
#if defined(REV_unwritten)
    if (i == 40) s[i] = 1;
    __syncthreads();
#endif
    out[i] += sum + s[63 - i] + turns + (from & 7) + at;
}

int main() {
    int *out, *in, *next;
    cudaMallocManaged(&out, 64 * sizeof(int));
    cudaMallocManaged(&in, 64 * sizeof(int));
    cudaMalloc(&next, 72 * sizeof(int));
    int host[64];
    for (int i = 0; i < 64; i++) {
        in[i] = i * 5 + 3, out[i] = 0;
        host[i] = (i * 11 + 1) % 64;
    }
    cudaMemcpy(next, host, sizeof host, cudaMemcpyHostToDevice);
    k<<<1, 64>>>(out, in, next, 7);
    cudaDeviceSynchronize();
    unsigned h = 1;
    for (int i = 0; i < 64; i++) h = h * 31 + out[i];
    printf("%08x\n", h);
    cudaFree(out);
    cudaFree(in);
    cudaFree(next);
}
