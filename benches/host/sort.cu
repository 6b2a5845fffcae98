// A kernel and the code that checks it: a million integers sorted, by a quicksort written by hand.
#include "host.h"

#define N (1 << 20)

static void quicksort(int *v, int lo, int hi)
{
    while (hi - lo > 16) {
        int pivot = v[lo + (hi - lo) / 2];
        int i = lo;
        int j = hi;
        while (i <= j) {
            while (v[i] < pivot)
                i++;
            while (v[j] > pivot)
                j--;
            if (i <= j) {
                int t = v[i];
                v[i] = v[j];
                v[j] = t;
                i++;
                j--;
            }
        }
        if (j - lo < hi - i) {
            quicksort(v, lo, j);
            lo = i;
        } else {
            quicksort(v, i, hi);
            hi = j;
        }
    }
    for (int i = lo + 1; i <= hi; i++) {
        int x = v[i];
        int j = i - 1;
        while (j >= lo && v[j] > x) {
            v[j + 1] = v[j];
            j--;
        }
        v[j + 1] = x;
    }
}

#ifndef NO_DEVICE
__global__ void bitonic(int *v, int j, int k)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned other = i ^ j;
    if (other > i) {
        int a = v[i];
        int b = v[other];
        if ((a > b) == ((i & k) == 0)) {
            v[i] = b;
            v[other] = a;
        }
    }
}
#endif

int main(void)
{
    int *v = (int *)malloc(N * sizeof(int));
    int *w = (int *)malloc(N * sizeof(int));
    for (int i = 0; i < N; i++) {
        v[i] = (int)host_random();
        w[i] = v[i];
    }
    host_begin();
    quicksort(v, 0, N - 1);
    host_end();
    unsigned sum = 0;
    for (int i = 0; i < N; i++)
        sum = sum * 31u + (unsigned)v[i];
    for (int i = 1; i < N; i++) {
        if (v[i - 1] > v[i]) {
            printf("not sorted at %d\n", i);
            break;
        }
    }
    printf("%u\n", sum);
#ifndef NO_DEVICE
    // A part of it, which keeps the kernels from being the benchmark.
    const int part = 1 << 14;
    int *d;
    cudaMalloc(&d, part * sizeof(int));
    cudaMemcpy(d, w, part * sizeof(int), cudaMemcpyHostToDevice);
    for (int k = 2; k <= part; k *= 2)
        for (int j = k / 2; j > 0; j /= 2)
            bitonic<<<part / 256, 256>>>(d, j, k);
    cudaMemcpy(v, d, part * sizeof(int), cudaMemcpyDeviceToHost);
    quicksort(w, 0, part - 1);
    for (int i = 0; i < part; i++) {
        if (v[i] != w[i]) {
            printf("kernel and loop differ at %d\n", i);
            break;
        }
    }
    cudaFree(d);
#endif
    free(v);
    free(w);
    return 0;
}
