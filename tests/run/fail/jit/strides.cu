// Places and numbers that grow from lane to lane by what is known when the kernel runs: the first and the last lane tell of all
// between them, unless the way from one to the other goes around.
// run-flags: --engine jit
// revisions: beyond before around overflow product cast uninit same none
#include <cstdio>

__global__ void columns(int *out, const int *in, int width, unsigned long long far, int from) {
    int t = threadIdx.x;
#if defined(REV_around)
    // Lanes 0 and 7 are inside, and those between them are not.
    int x = in[t * far + from]; //[around]~ ERROR out-of-bounds
#elif defined(REV_overflow)
    int x = in[(width * t - 2147483647) & 3]; //[overflow]~ WARNING undefined-behavior: signed integer overflow
#elif defined(REV_product)
    int x = width * (2147483 * t) & 1; //[product]~ WARNING undefined-behavior: signed integer overflow
#elif defined(REV_cast)
    // A number that is negative in some lanes and widened without its sign is far away there.
    int x = in[(unsigned)(t * width - from)]; //[cast]~ ERROR out-of-bounds
#else
    int x = in[t * width + from]; //[beyond,before]~ ERROR out-of-bounds
#endif
#if defined(REV_same)
    out[t * (width - 3)] = x; //[same]~ ERROR global-race
#else
    out[t] = x;
#endif
}

// Lanes that do not run are beyond the array, and their products overflow: nothing is said of them.
__global__ void some(int *out, const int *in, int width, int n) {
    __shared__ int s[64], w[64];
    int t = threadIdx.x;
    s[t] = w[t] = t;
    __syncthreads();
    if (t % 3 != 0 && t < n) {
        int at = width * t;
        out[t] += in[at % 400] + s[at % 64] + s[(t * (n - 18)) & 63];
        if (at % 2 == 0) w[t * (n - 19)] = at;
    }
    __syncthreads();
    out[t] += w[63 - t]; //[uninit]~ ERROR uninitialized-read
}

int main() {
    int *out, *in;
    cudaMallocManaged(&out, 64 * sizeof(int));
    cudaMalloc(&in, 400 * sizeof(int));
    int host[400];
    for (int i = 0; i < 400; i++) host[i] = 3 * i;
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    for (int i = 0; i < 64; i++) out[i] = 0;
    int *from = in;
    int width = 3, offset = 0;
    unsigned long long far = 0x2492492492492493ull;
#if defined(REV_beyond)
    offset = 400 - 3 * 63;
#elif defined(REV_before)
    width = -3, offset = 3 * 63 - 1;
#elif defined(REV_product)
    width = 16;
#elif defined(REV_overflow)
    width = -3;
#elif defined(REV_cast)
    offset = 10;
#elif defined(REV_uninit)
    cudaMalloc(&from, 400 * sizeof(int));
    cudaMemcpy(from, host, 189 * sizeof(int), cudaMemcpyHostToDevice);
#endif
    columns<<<1, 64>>>(out, from, width, far, offset);
    printf("%d\n", cudaDeviceSynchronize() == cudaSuccess);
    some<<<1, 64>>>(out, in, 100000000, 20);
    some<<<1, 64>>>(out, in, 20, 20);
    some<<<1, 64>>>(out, in, 0, 20);
    printf("%d\n", cudaDeviceSynchronize() == cudaSuccess);
    long long sum = 0;
    for (int i = 0; i < 64; i++) sum = (sum * 7 + out[i]) % 1000003;
    printf("%lld\n", sum);
    if (from != in) cudaFree(from);
    cudaFree(in);
    cudaFree(out);
}
