// Clusters in PTX: addresses of 32 and of 64 bits, loads, stores and atomics in another block's shared memory, and the
// two halves of the barrier.
#include <cstdio>

__device__ unsigned int rank() {
    unsigned int value;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(value));
    return value;
}

__global__ void __cluster_dims__(2) k(int *out) {
    __shared__ int before[3];
    __shared__ __align__(16) int box[32];
    __shared__ unsigned long long sums[2];
    unsigned int t = threadIdx.x, other = rank() ^ 1;
    unsigned int mine = (unsigned int)__cvta_generic_to_shared(box), wide = (unsigned int)__cvta_generic_to_shared(sums);
    box[t] = 100 * blockIdx.x + t;
    if (t < 2)
        sums[t] = 0;
    if (t < 3)
        before[t] = 0;
    asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");

    unsigned int theirs;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(theirs) : "r"(mine), "r"(other));
    int a, b, c, d, whose;
    asm volatile("ld.shared::cluster.s32 %0, [%1];" : "=r"(a) : "r"(theirs + 4 * t) : "memory");
    asm volatile("ld.shared.s32 %0, [%1 + 4];" : "=r"(b) : "r"(mine + 4 * (t & 15)));
    asm volatile("getctarank.shared::cluster.u32 %0, %1;" : "=r"(whose) : "r"(theirs));
    // One's own memory is in the cluster's window too.
    asm volatile("ld.shared::cluster.s32 %0, [%1];" : "=r"(c) : "r"(mine + 4 * t));
    // By generic addresses.
    unsigned long long generic;
    int rank_of;
    asm("mapa.u64 %0, %1, %2;" : "=l"(generic) : "l"(box), "r"(other));
    asm volatile("ld.s32 %0, [%1];" : "=r"(d) : "l"(generic + 4 * (31 - t)) : "memory");
    asm("getctarank.u64 %0, %1;" : "=r"(rank_of) : "l"(generic));
    // Atomics of the cluster's scope, and a store.
    unsigned int their_sums;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(their_sums) : "r"(wide), "r"(other));
    asm volatile("red.relaxed.cluster.shared::cluster.add.u64 [%0], %1;" ::"r"(their_sums), "l"((unsigned long long)t) : "memory");
    unsigned long long old;
    asm volatile("atom.acq_rel.cluster.shared::cluster.add.u64 %0, [%1 + 8], 2;" : "=l"(old) : "r"(their_sums) : "memory");
    asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory");
    asm volatile("st.shared::cluster.s32 [%0], %1;" ::"r"(theirs + 4 * t), "r"((int)t + 7) : "memory");
    asm volatile("fence.acq_rel.cluster;\nbarrier.cluster.arrive.relaxed;" ::: "memory");
    asm volatile("barrier.cluster.wait;" ::: "memory");
    unsigned int is_own, is_cluster, is_theirs;
    asm("{ .reg .pred p; isspacep.shared p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(is_own) : "l"(box));
    asm("{ .reg .pred p; isspacep.shared::cluster p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(is_cluster) : "l"(generic));
    asm("{ .reg .pred p; isspacep.shared::cta p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(is_theirs) : "l"(generic));
    unsigned long long back;
    asm("{ .reg .u64 a; cvta.to.shared.u64 a, %1; cvta.shared.u64 %0, a; }" : "=l"(back) : "l"(box));
    int *o = out + 32 * blockIdx.x;
    o[t] = a;
    __syncwarp();
    if (t == 9) {
        printf("block %d: %d %d %d %d, ranks %d %d, sums %llu %llu, stored %d, spaces %u %u %u, same %d %d\n", blockIdx.x, a, b, c,
               d, whose, rank_of, sums[0], sums[1], box[t], is_own, is_cluster, is_theirs, back == (unsigned long long)box,
               (int *)__cvta_shared_to_generic(mine) == box);
    }
}

int main() {
    int *out;
    cudaMallocManaged(&out, 2 * 32 * sizeof(int));
    k<<<2, 32>>>(out);
    cudaError_t end = cudaDeviceSynchronize();
    printf("%s %d %d\n", cudaGetErrorName(end), out[3], out[40]);
    cudaFree(out);
}
