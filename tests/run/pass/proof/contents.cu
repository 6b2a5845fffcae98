// A launch that one run proves is right with other contents of memory, too.
// revisions: zeros counting random extreme
//[zeros] args: 0
//[counting] args: 1
//[random] args: 2
//[extreme] args: 3
// by-run: stencil proved
// by-run: sort proved
// by-run: scan proved
#include <cstdio>
#include <cstdlib>

__global__ void stencil(const int *in, int *out, int n) {
    __shared__ int box[34];
    int t = threadIdx.x, i = blockIdx.x * 32 + t;
    box[t + 1] = in[i];
    if (t == 0) box[0] = i > 0 ? in[i - 1] : 0;
    if (t == 31) box[33] = i + 1 < n ? in[i + 1] : 0;
    __syncthreads();
    out[i] = max(box[t], max(box[t + 1], box[t + 2]));
}

// A sorting network: where it compares hangs on indices alone.
__global__ void sort(int *p, int n) {
    int t = threadIdx.x;
    for (int size = 2; size <= n; size *= 2)
        for (int step = size / 2; step > 0; step /= 2) {
            int other = t ^ step;
            if (other > t) {
                int a = p[t], b = p[other];
                bool up = (t & size) == 0;
                p[t] = up ? min(a, b) : max(a, b);
                p[other] = up ? max(a, b) : min(a, b);
            }
            __syncthreads();
        }
}

__global__ void scan(int *p, int n) {
    int t = threadIdx.x;
    for (int d = 1; d < n; d *= 2) {
        int v = t >= d ? p[t - d] : 0;
        __syncthreads();
        p[t] = (int)((unsigned)p[t] + (unsigned)v);
        __syncthreads();
    }
}

int main(int argc, char **argv) {
    const int n = 128;
    int how = atoi(argv[1]), h[n], *p, *q;
    unsigned state = 1;
    for (int i = 0; i < n; i++) {
        state = state * 1664525u + 1013904223u;
        int all[] = {0, i, (int)state, i % 2 ? 0x7fffffff : (int)0x80000000};
        h[i] = all[how];
    }
    cudaMalloc(&p, sizeof h);
    cudaMalloc(&q, sizeof h);
    cudaMemcpy(p, h, sizeof h, cudaMemcpyHostToDevice);
    stencil<<<n / 32, 32>>>(p, q, n);
    sort<<<1, n>>>(q, n);
    cudaMemcpy(h, q, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 1; i < n; i++)
        if (h[i - 1] > h[i]) return 1;
    scan<<<1, n>>>(p, n);
    cudaDeviceSynchronize();
    cudaFree(p);
    cudaFree(q);
    return 0;
}
