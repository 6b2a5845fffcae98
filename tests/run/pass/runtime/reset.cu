// A reset loads the program anew: variables of the device have their first values, limits and attributes too.
#include <cstdio>

struct Pair {
    int a, b;
};
__device__ int counted = 5, zero;
__device__ int *pointer = &counted;
__device__ Pair pairs[20000];
__constant__ int factor = 7;
__managed__ int both = 9;

__global__ void change(int v) {
    counted += v;
    zero += v;
    both += v;
    pointer = &zero;
    pairs[19999].b = v;
}
__global__ void look(int *out) {
    out[0] = counted;
    out[1] = factor;
    out[2] = both;
    out[3] = *pointer;
    out[4] = pairs[19999].b + zero;
}

void show() {
    int *d, out[5];
    cudaMalloc(&d, sizeof out);
    look<<<1, 1>>>(d);
    cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost);
    cudaFree(d);
    printf("%d %d %d %d %d\n", out[0], out[1], out[2], out[3], out[4]);
}

int main() {
    const int seventy = 70;
    int here;
    show();
    cudaMemcpyToSymbol(factor, &seventy, sizeof factor);
    change<<<1, 1>>>(10);
    show();
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    int *pinned, *kept = new int(3);
    cudaMallocHost(&pinned, 4);
    cudaHostRegister(kept, 4, 0);
    printf("%s\n", cudaGetErrorName(cudaDeviceReset()));
    show();
    cudaMemcpyFromSymbol(&here, counted, sizeof here);
    printf("%d %d %d\n", here, both, *kept);
    printf("%s\n", cudaGetErrorName(cudaHostRegister(kept, 4, 0)));
    cudaHostUnregister(kept);
    delete kept;
}
