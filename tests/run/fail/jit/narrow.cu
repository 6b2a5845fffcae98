// Bytes and numbers of 16 bits that threads access side by side: each one's bounds, initialisation and races.
// run-flags: --engine jit
// revisions: beyond before uninit half odd race later shared none
#include <cstdint>
#include <cstdio>

template <class T> __global__ void copy(T *out, const T *in, int from, int to) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i + to] = in[i + from] + 1; //[beyond,before]~ ERROR out-of-bounds
    //[uninit,half,odd]~^ ERROR uninitialized-read
}

template <class T> __global__ void folded(T *out, const T *in, int mask) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    T x = in[i];
    out[threadIdx.x + (blockIdx.x & mask) * 64] = x; //[race,later]~ ERROR global-race
    for (int t = 0; t < 2; t++) out[i] += t; //[race,later]~ ERROR global-race
}

template <class T> __global__ void neighbours(T *out, int by) {
    __shared__ T s[96];
    int t = threadIdx.x;
    s[t] = (T)t;
    if (t < 32) s[t + 64] = (T)(3 * t);
    __syncwarp();
    out[blockIdx.x * 64 + t] = s[t + by]; //[shared]~ ERROR shared-race
    //[shared]~^ ERROR shared-race
}

template <class T> void run(bool wrong) {
    const int n = 256;
    T *in, *out, host[n];
    for (int i = 0; i < n; i++) host[i] = (T)(7 * i);
    cudaMalloc(&in, n * sizeof(T));
    cudaMalloc(&out, (n + 16) * sizeof(T));
    int filled = n, from = 0, to = 0, mask = 3, by = 0;
#if defined(REV_beyond)
    if (wrong) from = 1;
#elif defined(REV_before)
    if (wrong) from = -1;
#elif defined(REV_uninit)
    if (wrong) filled = n - 1;
#elif defined(REV_half)
    if (wrong) filled = n / 2 + 3;
#elif defined(REV_odd)
    if (wrong) filled = n - 9, from = -9, to = 9;
#elif defined(REV_race)
    if (wrong) mask = 1;
#elif defined(REV_later)
    if (wrong) mask = 1 << 30;
#elif defined(REV_shared)
    if (wrong) by = 32;
#endif
    cudaMemcpy(in, host, filled * sizeof(T), cudaMemcpyHostToDevice);
    const T *start = in;
#if defined(REV_odd)
    // The first nine are not filled, and the rest is.
    if (wrong) {
        cudaFree(in);
        cudaMalloc(&in, n * sizeof(T));
        cudaMemcpy(in + 9, host, filled * sizeof(T), cudaMemcpyHostToDevice);
        start = in + 9, to = 9;
    }
#endif
    copy<T><<<4, 64>>>(out, start, from, to);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    folded<T><<<4, 64>>>(out, in, mask);
    neighbours<T><<<4, 64>>>(out, by);
    printf("%d\n", cudaDeviceSynchronize() == cudaSuccess);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    unsigned sum = 0;
    for (int i = 0; i < n; i++) sum = sum * 31 + (unsigned)host[i];
    printf("%u\n", sum);
    cudaFree(in);
    cudaFree(out);
}

int main() {
    run<uint8_t>(false);
    run<int16_t>(false);
    run<uint8_t>(true);
#if defined(REV_none)
    run<int16_t>(true);
#endif
}
