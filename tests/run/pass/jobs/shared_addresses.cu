// Blocks have the shared memory that they have where one core does all of them, and so has the next launch.
#include <cstdio>

__device__ unsigned long long at[201];

__global__ void tell(int first) {
    __shared__ int box[8];
    box[threadIdx.x] = threadIdx.x;
    if (threadIdx.x == 0) at[first + blockIdx.x] = (unsigned long long)box;
}

int main() {
    tell<<<200, 8>>>(0);
    tell<<<1, 8>>>(200);
    unsigned long long all[201];
    cudaMemcpyFromSymbol(all, at, sizeof all);
    int same = 0;
    for (int i = 2; i < 201; i++) same += all[i] - all[i - 1] == all[1] - all[0];
    printf("%d\n", same);
}
