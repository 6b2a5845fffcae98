// The order of atomic operations can be seen in their results, and in what those that do not commute leave: machine code keeps to that of
// the bytecode, strip by strip and loop by loop.
// run-flags: --engine jit
#include <cstdio>

__global__ void queue(int *to, int *count, const int *length, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    for (int k = 0; k < length[i]; k++)
        if ((i + k) % 3) to[atomicAdd(count, 1)] = i * 10 + k;
}

__global__ void insert(const int *keys, int *table, int *probes, int slots) {
    int i = threadIdx.x, key = keys[i], slot = key % slots;
    for (;;) {
        int was = atomicCAS(&table[slot], 0, key);
        if (was == 0 || was == key) break;
        atomicAdd(probes, i);
        slot = (slot + 1) % slots;
    }
}

__global__ void mixed(int *a, float *sum, unsigned *turn, int *last) {
    __shared__ int most;
    int i = threadIdx.x;
    if (i == 0) most = 0;
    __syncthreads();
    atomicMax(&most, i ^ 37);
    atomicSub(&most, i % 5);
    __syncthreads();
    atomicAdd(&a[0], i);
    atomicMin(&a[0], 100 - i);
    atomicXor(&a[1], i);
    atomicAnd(&a[1], ~(i << 3));
    atomicAdd(sum, 1.0f / (i + 1));
    last[i] = atomicExch(&a[2], i) + (int)(1000 * atomicInc(turn, 11));
    atomicDec(turn + 1, 7);
    if (i == 0) a[3] = most;
}

int main() {
    int *to, *count, *length, *table, *a, *last;
    float *sum;
    unsigned *turn;
    cudaMallocManaged(&to, 4096 * sizeof(int));
    cudaMallocManaged(&count, sizeof(int));
    cudaMallocManaged(&length, 600 * sizeof(int));
    cudaMallocManaged(&table, 701 * sizeof(int));
    cudaMallocManaged(&a, 8 * sizeof(int));
    cudaMallocManaged(&sum, sizeof(float));
    cudaMallocManaged(&turn, 2 * sizeof(unsigned));
    cudaMallocManaged(&last, 512 * sizeof(int));
    for (int i = 0; i < 600; i++) length[i] = i * i % 7;
    for (int i = 0; i < 701; i++) table[i] = 0;
    *count = 0;
    queue<<<2, 512>>>(to, count, length, 600);
    cudaDeviceSynchronize();
    long hash = 0;
    for (int i = 0; i < *count; i++) hash = (hash * 31 + to[i]) % 1000003;
    printf("queue %d %ld: %d %d %d %d\n", *count, hash, to[0], to[1], to[300], to[*count - 1]);

    for (int i = 0; i < 600; i++) length[i] = i * 7919 % 3001 + 1;
    *count = 0;
    insert<<<1, 600>>>(length, table, count, 701);
    cudaDeviceSynchronize();
    hash = 0;
    for (int i = 0; i < 701; i++) hash = (hash * 31 + table[i]) % 1000003;
    printf("insert %d %ld\n", *count, hash);

    for (int i = 0; i < 8; i++) a[i] = 0;
    *sum = 0, turn[0] = 3, turn[1] = 5;
    mixed<<<1, 512>>>(a, sum, turn, last);
    cudaDeviceSynchronize();
    hash = 0;
    for (int i = 0; i < 512; i++) hash = (hash * 31 + last[i]) % 1000003;
    printf("mixed %d %d %d %d %.9g %u %u %ld\n", a[0], a[1], a[2], a[3], *sum, turn[0], turn[1], hash);
    cudaFree(to), cudaFree(count), cudaFree(length), cudaFree(table);
    cudaFree(a), cudaFree(sum), cudaFree(turn), cudaFree(last);
}
