// Structures whose members are misaligned by design.
#include <cuda_runtime.h>
#include <stdlib.h>
#include "../bench.h"

#ifdef FRIENDLY
struct Record {
    int tag, value;
    float weight;
};
#else
#pragma pack(push, 1)
struct Record {
    char tag;
    int value;
    double weight;
};
#pragma pack(pop)
#endif

__global__ void update(Record *records, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        records[i].value += records[i].tag;
        records[i].weight += records[i].value;
    }
}

int main()
{
    int n = 1 << 17;
    Record *records;
    cudaMalloc(&records, n * sizeof(Record));
    cudaMemset(records, 0, n * sizeof(Record));
    bench_begin();
    for (int round = 0; round < 4; round++)
        update<<<n / 256, 256>>>(records, n);
    cudaDeviceSynchronize();
    bench_end();
    bench_work(4.0 * n * 8);
    Record last;
    cudaMemcpy(&last, records + n - 1, sizeof last, cudaMemcpyDeviceToHost);
    printf("packed %d\n", last.value);
    cudaFree(records);
    return 0;
}
