// Grids launched by kernels: children run after what their thread did, in the order of their stream, tail launches last.
#include <cstdio>

struct Pair {
    int a;
    double b;
};

__global__ void leaf(int* out, int n) {
    out[threadIdx.x] += n;
}

__global__ void sum(Pair p, const int* in, int* out) {
    *out = in[0] + in[1] + p.a + (int)p.b;
    printf("sum %d\n", *out);
}

__global__ void show(const char* what, int depth) {
    printf("%s at depth %d\n", what, depth);
}

__global__ void descend(int depth, int most) {
    if (threadIdx.x == 0) {
        printf("depth %d, block %d of %d\n", depth, blockIdx.x, gridDim.x);
        if (depth < most)
            descend<<<2, 32>>>(depth + 1, most);
    }
}

__global__ void parent(int* box, int* total) {
    int t = threadIdx.x;
    box[t] = t + 1;
    __syncthreads();
    if (t == 0) {
        leaf<<<1, 2>>>(box, 10);
        Pair p = {100, 1000.5};
        sum<<<1, 1>>>(p, box, total);
        p.a = 0;
        show<<<1, 1, 0, cudaStreamTailLaunch>>>("tail", 1);
        cudaStream_t s;
        if (cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking) != cudaSuccess)
            printf("no stream\n");
        show<<<1, 1, 0, s>>>("own stream", 1);
        cudaStreamDestroy(s);
        show<<<1, 1, 0, cudaStreamFireAndForget>>>("forgotten", 1);
        printf("launched: %d\n", cudaGetLastError());
    }
}

typedef void (*Kernel)(int*, int);
__device__ Kernel chosen = leaf;

// Lanes launch different shapes, through a pointer too.
__global__ void each(int* out, int n) {
    int t = threadIdx.x;
    if (t < n)
        leaf<<<1, t + 1>>>(out + 8 * t, t + 1);
    else
        chosen<<<1, 2>>>(out + 8 * t, 50);
}

int main() {
    int *box, *total, host[32];
    cudaMalloc(&box, 32 * sizeof(int));
    cudaMalloc(&total, sizeof(int));
    parent<<<1, 2>>>(box, total);
    cudaMemcpy(host, box, 2 * sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d %d\n", host[0], host[1]);
    descend<<<1, 32>>>(0, 2);
    cudaDeviceSynchronize();
    cudaMemset(box, 0, sizeof host);
    each<<<1, 4>>>(box, 3);
    cudaMemcpy(host, box, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++)
        printf("%d%c", host[i], i % 8 == 7 ? '\n' : ' ');
    cudaFree(box);
    cudaFree(total);
}
