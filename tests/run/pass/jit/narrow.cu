// Bytes and halves of words side by side, apart, under masks and across barriers; conversions between numbers of all widths; signed
// products that fit, whose factors differ from lane to lane.
// run-flags: --engine jit
#include <cstdint>
#include <cstdio>

const int N = 1000;

// Side by side, from any place on.
template <class T> __global__ void rows(T *out, const T *in, int from, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        T a = in[i + from], b = in[i];
        out[i + from] = a > b ? a + b : a ^ b;
    }
}

template <class T> __global__ void colours(T *out, const T *in, float f, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n / 3) return;
    float grey = 0.3f * in[3 * i] + 0.6f * in[3 * i + 1] + 0.1f * in[3 * i + 2];
    double fine = in[3 * i] * 0.25;
    out[3 * i] = (T)(int)(grey * f);
    out[3 * i + 1] = (T)(unsigned)(fine + 3.0);
    if (in[3 * i + 2] % 5 < 2) out[3 * i + 2] = in[(i * 7) % n];
}

// What is kept across a barrier, and what is shared.
template <class T> __global__ void turned(T *out, const T *in, int n) {
    __shared__ T s[64], w[64];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    T mine = i < n ? in[i] : 1;
    s[t] = mine;
    __syncthreads();
    T other = s[63 - t];
    for (int k = 0; k < other % 7; k++) mine = mine * 3 + (T)k;
    w[t ^ 1] = t & 4 ? mine : other;
    __syncthreads();
    if (i < n) out[i] = w[t] + mine;
}

template <class T> __global__ void conversions(double *out, const T *in, const float *f, const double *d, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    T x = in[(i * 13) % n];
    int8_t a = (int8_t)x;
    uint8_t b = (uint8_t)x;
    int16_t c = (int16_t)x;
    uint16_t e = (uint16_t)x;
    uint32_t u = (uint32_t)x * 2654435761u;
    float g = f[(i * 11) % n];
    double h = d[(i * 3) % n];
    out[i] = (float)a + (float)b * 2 + (double)c * 3 + (double)e * 4 + (float)u + (double)g + (float)h + (a < (int8_t)b)
        + (c <= a) * 5 + (e > (uint16_t)c) * 6 + (unsigned)fabsf(g) + (int16_t)(uint8_t)a + (uint16_t)a + (int)g * (int)h
        + (b == (uint8_t)c) * 7 + (double)(unsigned)(b * e) + ((a & 3) | (b ^ 5));
}

// Products of what differs.
__global__ void products(int *out, const int *in, int width, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int x = in[i], y = in[n - 1 - i];
    out[i] = x * y + (y & 3) * width;
}

template <class T> void run(const char *name, int from) {
    T *in, *out;
    float *f;
    double *d, *wide;
    cudaMallocManaged(&in, N * sizeof(T));
    cudaMallocManaged(&out, N * sizeof(T));
    cudaMallocManaged(&f, N * sizeof(float));
    cudaMallocManaged(&d, N * sizeof(double));
    cudaMallocManaged(&wide, N * sizeof(double));
    for (int i = 0; i < N; i++) {
        in[i] = (T)(i * 37 + i / 7), out[i] = (T)i;
        f[i] = (i % 91 - 45) * 1.37f, d[i] = (i % 77 - 30) * 2.71;
    }
    rows<T><<<4, 256>>>(out, in, from, N - from);
    rows<T><<<16, 64>>>(out, in, 0, N);
    colours<T><<<3, 128>>>(out, in, 0.9f, N);
    turned<T><<<(N + 63) / 64, 64>>>(out, in, N);
    conversions<T><<<8, 128>>>(wide, in, f, d, N);
    cudaDeviceSynchronize();
    unsigned long long hash = 1;
    for (int i = 0; i < N; i++) hash = hash * 31 + (unsigned)out[i];
    double sum = 0;
    for (int i = 0; i < N; i++) sum += wide[i] * (i % 5 + 1);
    printf("%s %llx %.6f\n", name, hash, sum);
    cudaFree(in);
    cudaFree(out);
    cudaFree(f);
    cudaFree(d);
    cudaFree(wide);
}

int main() {
    run<int8_t>("i8", 5);
    run<uint8_t>("u8", 8);
    run<int16_t>("i16", 3);
    run<uint16_t>("u16", 16);
    run<int32_t>("i32", 1);
    int *in, *out;
    cudaMallocManaged(&in, N * sizeof *in);
    cudaMallocManaged(&out, N * sizeof *out);
    const int edges[] = {0, 1, -1, 46340, -46340, 65535, -32768, 2147483647, -2147483647 - 1, 12345};
    for (int i = 0; i < N; i++) in[i] = i < N / 2 ? edges[i % 10] : i % 3 == 0 ? 1 : i % 3 == 1 ? 0 : i % 20 == 0 ? -1 : 1;
    for (int i = 0; i < N; i++)
        if (i < N / 2 && edges[i % 10] == -2147483647 - 1) in[N - 1 - i] = 1;
    products<<<8, 128>>>(out, in, 0, N);
    cudaDeviceSynchronize();
    unsigned hash = 1;
    for (int i = 0; i < N; i++) hash = hash * 31 + out[i];
    printf("%x\n", hash);
    cudaFree(in);
    cudaFree(out);
}
