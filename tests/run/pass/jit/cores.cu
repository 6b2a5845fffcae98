// Blocks of compiled launches on several threads: what they write lies side by side, so that bits of initialisation of two
// blocks share a byte; shared memory is each thread's own; atomic operations of different blocks meet.
// revisions: one two three
// run-flags: --engine jit
//[one] run-flags: --jobs 1
//[two] run-flags: --jobs 2
//[three] run-flags: --jobs 3
#include <cstdio>

const int WIDTH = 1003, HEIGHT = 300, ALL = WIDTH * HEIGHT;

// Rows that end in the middle of whatever: of words, of bytes, of what is wider.
template <class T>
__global__ void rows(T *out, const int *in, int rounds) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x < WIDTH && y < HEIGHT) {
        unsigned v = in[y * WIDTH + x];
        for (int i = 0; i < rounds; i++) v = v * 5u + 1u;
        out[y * WIDTH + x] = T(v % 101u);
    }
}

// One thread in three writes, so that no lanes do side by side.
__global__ void gaps(int *out, const int *in, int rounds) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x < WIDTH && y < HEIGHT && x % 3 == 0) {
        unsigned v = in[y * WIDTH + x];
        for (int i = 0; i < rounds; i++) v = v * 5u + 1u;
        out[y * WIDTH + x] = v % 101u;
    }
}

__global__ void sums(int *out, const int *in, int n) {
    __shared__ int part[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    part[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

// The order of a block's own atomic operations is seen.
__global__ void slots(int *out, const int *in, int n) {
    __shared__ int used, part[256];
    if (threadIdx.x == 0) used = 0;
    part[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n && in[i] % 3 == 0) {
        int slot = atomicAdd(&used, 1);
        if (slot < 256) part[slot] = in[i];
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int at = 0; at < 256; at++) sum = (sum * 7 + part[at]) & 0xffff;
        out[blockIdx.x] = sum;
    }
}

__global__ void counts(unsigned *out, const int *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&out[in[i] % 7u], 1u);
}

template <class T>
void test(const char *name, void (*kernel)(T *, const int *, int), const int *in, int step) {
    T *out, *back = new T[ALL];
    cudaMalloc(&out, ALL * sizeof(T));
    kernel<<<dim3((WIDTH + 127) / 128, HEIGHT), 128>>>(out, in, 40);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x += step)
            if (step > 1) cudaMemcpy(back + y * WIDTH + x, out + y * WIDTH + x, sizeof(T), cudaMemcpyDeviceToHost);
    if (step == 1) cudaMemcpy(back, out, ALL * sizeof(T), cudaMemcpyDeviceToHost);
    unsigned long long sum = 0;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x += step) sum = sum * 31 + (unsigned)back[y * WIDTH + x];
    printf("%s %llu\n", name, sum);
    cudaFree(out);
    delete[] back;
}

int main() {
    int *in, *host = new int[ALL];
    for (int i = 0; i < ALL; i++) host[i] = i % 1000;
    cudaMalloc(&in, ALL * sizeof(int));
    cudaMemcpy(in, host, ALL * sizeof(int), cudaMemcpyHostToDevice);
    test<unsigned char>("bytes", rows<unsigned char>, in, 1);
    test<short>("halves", rows<short>, in, 1);
    test<int>("words", rows<int>, in, 1);
    test<float>("floats", rows<float>, in, 1);
    test<double>("doubles", rows<double>, in, 1);
    test<int>("gaps", gaps, in, 3);

    const int blocks = (ALL + 255) / 256;
    int *out, *back = new int[blocks];
    cudaMalloc(&out, blocks * sizeof(int));
    sums<<<blocks, 256>>>(out, in, ALL);
    cudaMemcpy(back, out, blocks * sizeof(int), cudaMemcpyDeviceToHost);
    long long sum = 0;
    for (int i = 0; i < blocks; i++) sum += back[i];
    printf("sums %lld\n", sum);
    slots<<<blocks, 256>>>(out, in, ALL);
    cudaMemcpy(back, out, blocks * sizeof(int), cudaMemcpyDeviceToHost);
    sum = 0;
    for (int i = 0; i < blocks; i++) sum += back[i];
    printf("slots %lld\n", sum);

    unsigned *bins, of[7];
    cudaMalloc(&bins, sizeof of);
    cudaMemset(bins, 0, sizeof of);
    counts<<<blocks, 256>>>(bins, in, ALL);
    cudaMemcpy(of, bins, sizeof of, cudaMemcpyDeviceToHost);
    for (unsigned n : of) printf("%u ", n);
    printf("\n");
    cudaFree(in);
    cudaFree(out);
    cudaFree(bins);
    delete[] host;
    delete[] back;
}
