// Lanes that run together and leave a loop at different turns: each computes what it would alone, and keeps what it has seen last.
// run-flags: --engine jit
#include <cstdio>

// Exits by two conditions, values of each kind that live on, a counter that is the same for all lanes as long as they turn.
__global__ void exits(const int *in, const float *data, int *out, long long *big, double *wide, float *single, int n) {
    int i = threadIdx.x + blockIdx.x * blockDim.x, x = in[i], k = 0, last = -1;
    long long l = 1;
    double z = 0.5;
    float f = 1.0f;
    bool odd = false;
    short w = 3;
    for (; k < n; k++) {
        last = in[(x + k * 7) & 255];
        if (last % 13 == 5) break;
        l += last * 3LL;
        z = z * 0.5 + last;
        f += data[(i + k) & 255];
        odd = odd != (last & 1);
        w = (short)(w * 3 + last);
        if (f > 40.0f) {
            f -= 30.0f;
            continue;
        }
        x = x * 5 + 1 & 1023;
    }
    out[i] = k * 1000 + last + odd + w % 7 + x;
    big[i] = l + k;
    wide[i] = z;
    single[i] = f;
}

// A walk down a tree: the ways inside the loop differ, too, and load from different places.
__global__ void walk(const int *key, const int *left, const int *right, int *out, int n) {
    int i = threadIdx.x + blockIdx.x * blockDim.x, want = i * 37 % n, at = n / 2, steps = 0;
    while (at >= 0 && key[at] != want) {
        at = want < key[at] ? left[at] : right[at];
        steps++;
    }
    out[i] = at < 0 ? -steps : steps * 1024 + at;
}

// Stores and sums inside, code at one of the exits, and a loop around.
__global__ void around(const int *in, int *out, int *hits, int n) {
    __shared__ int s[64];
    int t = threadIdx.x, i = t + blockIdx.x * blockDim.x, sum = 0;
    s[t] = in[i];
    __syncthreads();
    for (int round = 0; round < 3; round++) {
        int v = s[t ^ round] & 63, turns = 0;
        while (v != 1) {
            if (v == 0) {
                sum += 100;
                out[i] = v - turns;
                break;
            }
            v = v & 1 ? 3 * v + 1 : v / 2;
            turns++;
            if (turns == n) atomicAdd(hits, 1);
        }
        sum += turns;
    }
    __syncthreads();
    out[i] += sum + s[63 - t];
}

// The turns of one lane are none of another's: the mean of a row of a sparse matrix.
__global__ void rows(const int *row, const int *col, const float *x, float *y, int n) {
    __shared__ float part[64];
    int t = threadIdx.x, r = (t + blockIdx.x * blockDim.x) % n;
    float sum = 0.0f;
    for (int k = row[r]; k < row[r + 1]; k++) sum += x[col[k]];
    part[t] = sum;
    __syncthreads();
    y[t + blockIdx.x * blockDim.x] = part[t] + part[t ^ 1] / 3.0f;
}

void *all[16];
int count_of_all;

template <class T> T *managed(int n) {
    T *p;
    cudaMallocManaged(&p, n * sizeof(T));
    for (int i = 0; i < n; i++) p[i] = 0;
    all[count_of_all++] = p;
    return p;
}

template <class T> unsigned sum(const T *p, int n) {
    unsigned h = 1;
    const unsigned char *bytes = (const unsigned char *)p;
    for (int i = 0; i < n * (int)sizeof(T); i++) h = h * 31 + bytes[i];
    return h;
}

int main() {
    const int n = 256;
    int *in = managed<int>(n), *out = managed<int>(n), *hits = managed<int>(1);
    float *data = managed<float>(n), *single = managed<float>(n);
    long long *big = managed<long long>(n);
    double *wide = managed<double>(n);
    for (int i = 0; i < n; i++) in[i] = i * i * 7 % 1021, data[i] = i % 17;
    for (int turns = 1; turns < 30; turns += 9) {
        exits<<<4, 64>>>(in, data, out, big, wide, single, turns);
        cudaDeviceSynchronize();
        printf("exits %08x %08x %08x %08x\n", sum(out, n), sum(big, n), sum(wide, n), sum(single, n));
    }
    int *key = managed<int>(n), *left = managed<int>(n), *right = managed<int>(n);
    // A tree whose nodes stand in the order of their keys, all of which are even.
    struct { int low, high; } open[64];
    int count = 1;
    open[0] = {0, n};
    while (count > 0) {
        auto [low, high] = open[--count];
        int mid = (low + high) / 2;
        key[mid] = 2 * mid;
        left[mid] = low < mid ? (low + mid) / 2 : -1;
        right[mid] = mid + 1 < high ? (mid + 1 + high) / 2 : -1;
        if (low < mid) open[count++] = {low, mid};
        if (mid + 1 < high) open[count++] = {mid + 1, high};
    }
    walk<<<4, 64>>>(key, left, right, out, n);
    cudaDeviceSynchronize();
    printf("walk %08x\n", sum(out, n));
    for (int i = 0; i < 3; i++) around<<<4, 64>>>(in, out, hits, 5 + i);
    cudaDeviceSynchronize();
    printf("around %08x %d\n", sum(out, n), *hits);
    int *row = managed<int>(65), *col = managed<int>(64 * 9);
    for (int r = 0; r < 64; r++) {
        row[r + 1] = row[r] + r * 5 % 9;
        for (int k = row[r]; k < row[r + 1]; k++) col[k] = k * 11 % n;
    }
    rows<<<4, 64>>>(row, col, data, single, 64);
    cudaDeviceSynchronize();
    printf("rows %08x\n", sum(single, n));
    while (count_of_all > 0) cudaFree(all[--count_of_all]);
}
