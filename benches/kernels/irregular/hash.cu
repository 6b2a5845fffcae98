// A hash table with open addresses: a thread inserts a key by `atomicCAS`, from slot to slot until one is free or has it.
#include <cuda_runtime.h>
#include "inputs.h"

__global__ void hash(const unsigned *keys, unsigned *table, int n, unsigned slots)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned key = keys[i], slot = (key * 2654435761u >> 8) % slots;
        for (;;) {
            unsigned was = atomicCAS(&table[slot], 0u, key);
            if (was == 0 || was == key)
                break;
            slot = (slot + 1) % slots;
        }
    }
}

int main(void)
{
    int n = HASH_KEYS;
    unsigned *h = hash_keys(n), *result = (unsigned *)malloc(HASH_SLOTS * sizeof(unsigned)), *keys, *table;
    cudaMalloc(&keys, n * sizeof(unsigned));
    cudaMalloc(&table, HASH_SLOTS * sizeof(unsigned));
    cudaMemcpy(keys, h, n * sizeof(unsigned), cudaMemcpyHostToDevice);
    BENCH {
        cudaMemset(table, 0, HASH_SLOTS * sizeof(unsigned));
        bench_begin();
        hash<<<n / 256, 256>>>(keys, table, n, HASH_SLOTS);
        cudaDeviceSynchronize();
        bench_end();
    }
    cudaMemcpy(result, table, HASH_SLOTS * sizeof(unsigned), cudaMemcpyDeviceToHost);
    print_hash(result);
    cudaFree(keys);
    cudaFree(table);
    free(h);
    free(result);
    return 0;
}
