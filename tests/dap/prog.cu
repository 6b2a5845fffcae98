#include <cstdio>
struct Part {
    int x;
    float y[3];
    unsigned bits : 3;
    Part *next;
};
__device__ int twice(int n) {
    int m = n * 2;
    return m;
}
__global__ void k(int *out, Part *part) {
    __shared__ int tile[32];
    int i = threadIdx.x;
    tile[i] = twice(i);
    __syncthreads();
    int v = tile[31 - i] + part->x;
    out[blockIdx.x * 32 + i] = v;
}
__global__ void races(int *out) {
    __shared__ int last;
    last = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = last;
}
int add(int a, int b) {
    int sum = a + b;
    return sum;
}
int main(int argc, char **argv) {
    int *out;
    Part *part, own;
    own.x = add(40, argc);
    own.y[1] = 1.5f;
    own.bits = 5;
    own.next = nullptr;
    printf("own.x = %d\n", own.x);
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMalloc(&part, sizeof(Part));
    cudaMemcpy(part, &own, sizeof(Part), cudaMemcpyHostToDevice);
    k<<<2, 32>>>(out, part);
    races<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    fprintf(stderr, "done\n");
    cudaFree(out);
    cudaFree(part);
    return 0;
}
