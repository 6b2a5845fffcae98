// A byte that was never written may be loaded where nobody uses its value: an arm that no thread takes, a selection of
// the other value, a loop that does not turn, a condition that is not looked at, a value that the next load replaces.
#include <cstdio>

__device__ __noinline__ int twice(int v) { return 2 * v; }

__global__ void k(const int *flag, const int *d, int *out) {
    int i = threadIdx.x, r = 0;
    int arm = d[i];
    if (flag[i] == 32) r = twice(arm);
    int picked = d[i + 32];
    r += flag[i] >= 0 ? 7 : picked;
    int turns = d[i + 64];
    for (int n = 0; n < (flag[i] >> 5); n++) r += turns;
    int second = d[i + 96];
    if (flag[i] < 0 && second > 3) r++;
    // Written for the threads that use it.
    int some = d[i + 128];
    if (i < 4) r += some + 1;
    for (int n = 0; n < 3; n++) {
        // The first turns load what was never written; the last one loads what was, and uses it.
        int v = d[n < 2 ? i + 160 : 128];
        if (n == 2) r += v * 2;
    }
    int2 pair = ((const int2 *)d)[100 + i];
    if (flag[i] == -1) r += pair.x + pair.y;
    int list[8];
    list[i & 3] = i;
    int local = list[4 + (i & 3)];
    if (flag[i] == -1) r += local * 5;
    out[i] = r;
}

static int choose(const int *p, int n) {
    int a = p[0], b = p[1];
    switch (n) {
    case 0: return a + 1;
    case 1: return b + 1;
    default: return 0;
    }
}

int main() {
    int flags[32], *flag, *d, *out, h[32];
    for (int i = 0; i < 32; i++) flags[i] = i;
    cudaMalloc(&flag, sizeof flags);
    cudaMalloc(&d, 2048);
    cudaMalloc(&out, sizeof h);
    cudaMemcpy(flag, flags, sizeof flags, cudaMemcpyHostToDevice);
    cudaMemset(d + 128, 0, 16);
    k<<<1, 32>>>(flag, d, out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[0], h[31]);
    int *heap = (int *)malloc(8);
    heap[1] = 41;
    printf("%d %d\n", choose(heap, h[0] > 100 ? 0 : 1), choose(heap, 2));
    free(heap);
    cudaFree(flag);
    cudaFree(d);
    cudaFree(out);
}
