// Local variables in memory: each thread has its own, of any width, in any lane, under any branch and across barriers.
// run-flags: --engine jit
#include <cstdio>
#include <cstring>

struct Item {
    short id;
    double weight;
    char tag[5];
};

struct Table {
    float factor[6];
    int shift;
};

// All threads access one element at a time, of each width.
__global__ void rows(const int *in, double *out, int n) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    char c[9];
    short h[9];
    int w[9];
    float f[9];
    long long l[9];
    double d[9];
    for (int j = 0; j < 9; j++) {
        int x = in[(i + j) % n];
        c[j] = x;
        h[j] = x * 3;
        w[j] = x * 5;
        f[j] = x * 0.5f;
        l[j] = x * 7LL;
        d[j] = x * 0.25;
    }
    double s = 0;
    for (int j = 8; j >= 0; j--) s = s * 0.5 + c[j] + h[j] + w[8 - j] + f[j] + l[(j + n) % 9] + d[j];
    out[i] = s;
}

// Each thread accesses an element of its own, under branches, in loops that threads leave at different turns.
__global__ void scattered(const int *in, int *out, int n) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    int count[8] = {0};
    unsigned char last[8];
    memset(last, 1, sizeof last);
    for (int j = 0; j < in[i] % 23; j++) {
        int x = in[(i * 3 + j) % n];
        if (x & 4) {
            count[x & 7]++;
            last[x & 7] = j;
        } else if (x % 3 == 0) {
            last[(x + j) & 7] ^= x;
        }
    }
    int most = 0;
    for (int j = 1; j < 8; j++)
        if (count[j] > count[most]) most = j;
    out[i] = count[most] * 100 + most * 10 + last[most];
}

// Structures in memory, and their bytes.
__global__ void items(const Item *in, Item *out, int n) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    Item own[3] = {in[i], in[(i + 1) % n], in[i]};
    own[i % 3].id += 1;
    own[2].weight *= own[(i + 1) % 3].weight;
    for (int j = 0; j < 5; j++) own[1].tag[j] = own[0].tag[4 - j] + own[i % 3].id;
    union {
        unsigned word[2];
        unsigned char byte[8];
    } u;
    u.word[0] = own[0].id;
    u.word[1] = i * 0x01020304u;
    own[2].tag[0] = u.byte[i & 7];
    u.byte[5] = 9;
    own[2].tag[1] = u.word[1] >> 9;
    out[3 * i] = own[0];
    out[3 * i + 1] = own[1];
    out[3 * i + 2] = own[2];
}

// A parameter that each thread has a copy of.
__global__ void parameter(Table table, const int *in, float *out) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    table.factor[in[i] % 6] += i;
    float s = 0;
    for (int j = 0; j < 6; j++) s += table.factor[j] * (j + table.shift);
    out[i] = s;
}

// What is there before a barrier is there behind it, and a new turn of a scope begins with nothing of the last one.
__global__ void barriers(const int *in, int *out, int n) {
    __shared__ int s[64];
    int t = threadIdx.x, i = t + blockIdx.x * blockDim.x;
    int own[4];
    own[t & 3] = in[i];
    own[(t + 1) & 3] = 1;
    own[(t + 2) & 3] = t;
    own[(t + 3) & 3] = 3;
    for (int r = 0; r < 3; r++) {
        int part[4];
        for (int j = 0; j < 4; j++) part[j] = own[j] + r;
        s[t] = part[r];
        __syncthreads();
        own[r] += s[(t + 5) % blockDim.x] + part[3];
        __syncthreads();
    }
    out[i] = own[0] + own[1] * 3 + own[2] * 5 + own[3] * 7;
}

// The order of threads is seen, and some of them do nothing.
__global__ void ordered(const int *in, int *out, int *next, int n) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (in[i] % 3 == 0) return;
    int own[3] = {i, in[i], n};
    own[in[i] % 3] = atomicAdd(next, 1);
    out[own[in[i] % 3] % n] = own[0] + own[1] + own[2];
}

template <class T> T *room(int n) {
    T *p;
    cudaMallocManaged(&p, n * sizeof(T));
    memset(p, 0, n * sizeof(T));
    return p;
}

int main() {
    for (int threads : {64, 37, 8, 5}) {
        const int blocks = 3, n = blocks * threads;
        int *in = room<int>(n), *out = room<int>(n), *next = room<int>(1);
        double *wide = room<double>(n);
        float *single = room<float>(n);
        Item *from = room<Item>(n), *to = room<Item>(3 * n);
        Table table = {{1, 2, 3, 4, 5, 6}, 2};
        for (int i = 0; i < n; i++) {
            in[i] = i * 7919 % 1013;
            from[i].id = i, from[i].weight = i * 0.5;
            for (int j = 0; j < 5; j++) from[i].tag[j] = i + j;
        }
        unsigned long long sum = 0;
        auto add = [&] {
            cudaDeviceSynchronize();
            for (int i = 0; i < n; i++) sum = sum * 31 + out[i];
            printf("%llu ", sum);
        };
        rows<<<blocks, threads>>>(in, wide, n);
        cudaDeviceSynchronize();
        double all = 0;
        for (int i = 0; i < n; i++) all += wide[i];
        printf("%d: %.17g ", threads, all);
        scattered<<<blocks, threads>>>(in, out, n);
        add();
        items<<<blocks, threads>>>(from, to, n);
        cudaDeviceSynchronize();
        for (int i = 0; i < 3 * n; i++) sum = sum * 31 + to[i].id + (int)to[i].weight + to[i].tag[i % 5];
        parameter<<<blocks, threads>>>(table, in, single);
        cudaDeviceSynchronize();
        for (int i = 0; i < n; i++) sum = sum * 31 + (int)single[i];
        printf("%llu ", sum);
        barriers<<<blocks, threads>>>(in, out, n);
        add();
        ordered<<<blocks, threads>>>(in, out, next, n);
        add();
        printf("\n");
        cudaFree(in), cudaFree(out), cudaFree(next), cudaFree(wide), cudaFree(single), cudaFree(from), cudaFree(to);
    }
}
