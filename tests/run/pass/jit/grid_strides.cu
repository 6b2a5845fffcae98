// Loops over an array in steps of the grid, with loops in them, and comparisons of numbers of 64 bits that go around between the
// lanes that run together.
// run-flags: --engine jit
#include <cstdio>

template <class T> __global__ void sums(float *out, const float *in, T n, int turns) {
    T all = (T)gridDim.x * blockDim.x;
    for (T j = (T)blockIdx.x * blockDim.x + threadIdx.x; j < n; j += all)
        for (int t = 0; t < turns; t++) out[j] += in[j] * (t + 1);
}

template <class T> __global__ void back(float *out, const float *in, T n, int turns) {
    T all = (T)gridDim.x * blockDim.x;
    for (T j = n - 1 - ((T)blockIdx.x * blockDim.x + threadIdx.x); j >= 0; j -= all)
        for (int t = 0; t < turns; t++) out[j] -= in[j] / (t + 1);
}

// The index is a word of the number of the thread.
__global__ void words(float *out, const float *in, size_t n) {
    int i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < (int)n) out[i] += in[i];
}

// For each order, whether it holds.
template <class T> __global__ void orders(int *out, unsigned long long far, T limit) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    T up = far + i, down = far - i;
    int is = 0;
    if (up < limit) is |= 1;
    if (up <= limit) is |= 2;
    if (up > limit) is |= 4;
    if (limit <= up) is |= 8;
    if (down < limit) is |= 16;
    if (down >= limit) is |= 32;
    if (up == limit) is |= 64;
    if (down != limit) is |= 128;
    out[i] = is;
}

template <class T> unsigned check(unsigned long long far, T limit) {
    int *out;
    cudaMallocManaged(&out, 96 * sizeof *out);
    orders<T><<<3, 32>>>(out, far, limit);
    cudaDeviceSynchronize();
    unsigned wrong = 0;
    for (int i = 0; i < 96; i++) {
        T up = far + i, down = far - i;
        int is = (up < limit) | (up <= limit) << 1 | (up > limit) << 2 | (limit <= up) << 3 | (down < limit) << 4
            | (down >= limit) << 5 | (up == limit) << 6 | (down != limit) << 7;
        wrong += is != out[i];
    }
    cudaFree(out);
    return wrong;
}

int main() {
    const int n = 1003;
    float *out, *in;
    cudaMallocManaged(&out, n * sizeof *out);
    cudaMallocManaged(&in, n * sizeof *in);
    for (int i = 0; i < n; i++) out[i] = 0, in[i] = i % 13;
    sums<int><<<5, 64>>>(out, in, n, 3);
    sums<unsigned><<<5, 64>>>(out, in, n, 3);
    sums<long long><<<5, 64>>>(out, in, n, 3);
    sums<size_t><<<5, 64>>>(out, in, n, 3);
    sums<size_t><<<16, 64>>>(out, in, n - 3, 2);
    back<int><<<5, 64>>>(out, in, n, 2);
    back<long long><<<5, 64>>>(out, in, n, 2);
    words<<<16, 64>>>(out, in, n);
    cudaDeviceSynchronize();
    double sum = 0;
    for (int i = 0; i < n; i++) sum += out[i] * (i % 7 + 1);
    printf("%.3f\n", sum);
    unsigned wrong = 0;
    const unsigned long long top = 0x7fffffffffffffffull;
    const unsigned long long fars[] = {0, 5, 100, top - 90, top - 45, top - 3, top, top + 4, ~0ull - 50, ~0ull - 3, ~0ull};
    const unsigned long long offsets[] = {0, 1, 3, 40, ~0ull, ~0ull - 2, ~0ull - 40};
    for (unsigned long long far : fars)
        for (unsigned long long offset : offsets) {
            wrong += check<unsigned long long>(far, far + offset);
            wrong += check<long long>(far, (long long)(far + offset));
            wrong += check<unsigned>((unsigned)far, (unsigned)(far + offset));
        }
    printf("%u\n", wrong);
    cudaFree(in);
    cudaFree(out);
}
