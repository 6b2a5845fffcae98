// Bitonic sort of one block's elements in shared memory, keys with their values.
#include <stdio.h>

#define COUNT 256

__global__ void bitonic(unsigned *keys, unsigned *values) {
    __shared__ unsigned k[COUNT], v[COUNT];
    unsigned t = threadIdx.x;
    k[t] = keys[t];
    v[t] = values[t];
    __syncthreads();
    for (unsigned size = 2; size <= COUNT; size <<= 1) {
        for (unsigned stride = size >> 1; stride > 0; stride >>= 1) {
            unsigned other = t ^ stride;
            if (other > t) {
                bool up = (t & size) == 0;
                if ((k[t] > k[other]) == up) {
                    unsigned swap = k[t];
                    k[t] = k[other];
                    k[other] = swap;
                    swap = v[t];
                    v[t] = v[other];
                    v[other] = swap;
                }
            }
            __syncthreads();
        }
    }
    keys[t] = k[t];
    values[t] = v[t];
}

int main() {
    unsigned keys[COUNT], values[COUNT], original[COUNT], state = 12345;
    for (unsigned i = 0; i < COUNT; ++i) {
        state = state * 1664525u + 1013904223u;
        original[i] = keys[i] = state >> 20;
        values[i] = i;
    }
    unsigned *dk, *dv;
    cudaMalloc(&dk, sizeof keys);
    cudaMalloc(&dv, sizeof values);
    cudaMemcpy(dk, keys, sizeof keys, cudaMemcpyHostToDevice);
    cudaMemcpy(dv, values, sizeof values, cudaMemcpyHostToDevice);
    bitonic<<<1, COUNT>>>(dk, dv);
    cudaMemcpy(keys, dk, sizeof keys, cudaMemcpyDeviceToHost);
    cudaMemcpy(values, dv, sizeof values, cudaMemcpyDeviceToHost);
    cudaFree(dk);
    cudaFree(dv);
    bool sorted = true, matched = true;
    for (unsigned i = 0; i < COUNT; ++i) {
        if (i > 0 && keys[i - 1] > keys[i]) sorted = false;
        if (original[values[i]] != keys[i]) matched = false;
    }
    printf("sorted: %s, values matched: %s\n", sorted ? "yes" : "no", matched ? "yes" : "no");
    return sorted && matched ? 0 : 1;
}
