// Many blocks, each with its own part of the output: on any number of cores the same bytes. Shared memory, local
// arrays, struct copies that leave padding unwritten, bytes beside each other from different blocks.
#include <stdio.h>

struct Item {
    char tag; // three bytes of padding follow
    int value;
};

__global__ void fill(Item *items, unsigned char *bytes, const int *in, int n) {
    __shared__ int part[32];
    int local[4], i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = in[i];
    __syncthreads();
    for (int k = 0; k < 4; ++k) local[(threadIdx.x + k) % 4] = part[(threadIdx.x + k) % 32];
    Item item;
    item.tag = 'a' + i % 26;
    item.value = local[0] + 2 * local[1] + 3 * local[2] + 4 * local[3];
    if (i < n) {
        items[i] = item;
        bytes[i] = (unsigned char)item.value;
    }
}

int main() {
    const int n = 30000, blocks = (n + 31) / 32;
    int *in;
    Item *items;
    unsigned char *bytes;
    cudaMallocManaged(&in, blocks * 32 * sizeof *in);
    cudaMallocManaged(&items, n * sizeof *items);
    cudaMalloc(&bytes, n);
    for (int i = 0; i < blocks * 32; ++i) in[i] = i * 7 % 1000;
    fill<<<blocks, 32>>>(items, bytes, in, n);
    cudaDeviceSynchronize();
    static unsigned char copy[30000];
    cudaMemcpy(copy, bytes, n, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < n; ++i) {
        int first = i / 32 * 32, lane = i % 32, value = 0;
        for (int k = 0; k < 4; ++k) value += ((lane + k) % 4 + 1) * in[first + (lane + k) % 32];
        wrong += items[i].tag != 'a' + i % 26 || items[i].value != value || copy[i] != (unsigned char)value;
    }
    printf("%d wrong\n", wrong);
    cudaFree(in);
    cudaFree(items);
    cudaFree(bytes);
    return 0;
}
