// The two halves of a cluster's barrier as functions, the fence of a cluster, exchanges of sixteen bytes at every scope.
#include <cstdio>

struct __align__(16) Wide {
    unsigned long long low, high;
};

// Every block writes a word of the next one, once it is there, and reads its own when all have written.
__global__ void __cluster_dims__(4, 1, 1) ring(int* out) {
    __shared__ int word;
    __cluster_barrier_arrive_relaxed();
    __cluster_barrier_wait();
    unsigned int next = (__clusterRelativeBlockRank() + 1) % __clusterSizeInBlocks();
    if (threadIdx.x == 0)
        *(int*)__cluster_map_shared_rank(&word, next) = 10 * (int)__clusterRelativeBlockRank();
    __cluster_barrier_arrive();
    __cluster_barrier_wait();
    if (threadIdx.x == 5)
        out[blockIdx.x] = word;
}

// A flag in another block's memory behind a fence of the cluster.
__global__ void __cluster_dims__(2, 1, 1) flag(int* out) {
    __shared__ int data, ready;
    if (threadIdx.x == 0)
        ready = 0;
    __cluster_barrier_arrive();
    __cluster_barrier_wait();
    if (threadIdx.x == 0 && __clusterRelativeBlockRank() == 0) {
        *(int*)__cluster_map_shared_rank(&data, 1) = 42;
        __threadfence_cluster();
        atomicExch((int*)__cluster_map_shared_rank(&ready, 1), 1);
    }
    if (threadIdx.x == 0 && __clusterRelativeBlockRank() == 1) {
        while (atomicAdd(&ready, 0) == 0) {
        }
        __threadfence_cluster();
        *out = data;
    }
    __cluster_barrier_arrive();
    __cluster_barrier_wait();
}

__global__ void exchanges(Wide* place) {
    Wide mine = {threadIdx.x + 1ull, threadIdx.x + 2ull}, zero = {0, 0}, was;
    __u128AtomicCAS(&place[0], &zero, &mine, &was);
    __u128AtomicCAS_block(&place[1], &zero, &mine, &was);
    __u128AtomicCAS_system(&place[2], &zero, &mine, &was);
    __u128AtomicExch(&place[3], &mine, &was);
    __u128AtomicExch_block(&place[4], &mine, &was);
    __u128AtomicExch_system(&place[5], &mine, &was);
}

int main() {
    int* out;
    Wide* place;
    cudaMallocManaged(&out, 8 * sizeof *out);
    cudaMallocManaged(&place, 6 * sizeof *place);
    ring<<<8, 32>>>(out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 8; i++)
        printf("%d%c", out[i], i == 7 ? '\n' : ' ');
    flag<<<2, 32>>>(out);
    cudaDeviceSynchronize();
    printf("%d\n", out[0]);
    for (int i = 0; i < 6; i++)
        place[i] = Wide{0, 0};
    exchanges<<<1, 32>>>(place);
    cudaDeviceSynchronize();
    for (int i = 0; i < 6; i++)
        printf("%s%c", place[i].high == place[i].low + 1 && place[i].low <= 32 ? "whole" : "torn", i == 5 ? '\n' : ' ');
    cudaFree(out);
    cudaFree(place);
}
