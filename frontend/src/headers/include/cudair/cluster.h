/* Clusters of blocks. A thread's place among them follows from its block's and the cluster's shape. */
#ifndef CUDAIR_CLUSTER_H
#define CUDAIR_CLUSTER_H

extern "C" {
__device__ void __cluster_barrier_arrive(void);
__device__ void __cluster_barrier_arrive_relaxed(void);
__device__ void __cluster_barrier_wait(void);
__device__ void __threadfence_cluster(void);
__device__ unsigned int __clusterDimIsSpecified(void);
__device__ unsigned int __cluster_nctaid_x(void);
__device__ unsigned int __cluster_nctaid_y(void);
__device__ unsigned int __cluster_nctaid_z(void);
/* The place in the shared memory of another block of the cluster; the block whose shared memory a place is in; whether
   it is in that of any block of the cluster. */
__device__ void* __cudair_cluster_map(const void* ptr, unsigned int rank);
__device__ unsigned int __cudair_cluster_rank(const void* ptr);
__device__ unsigned int __cudair_cluster_owns(const void* ptr);
}

__CUDAIR_D unsigned int __isCtaShared(const void* ptr) { return __isShared(ptr); }
__CUDAIR_D unsigned int __isClusterShared(const void* ptr) { return __cudair_cluster_owns(ptr); }
__CUDAIR_D void* __cluster_map_shared_rank(const void* ptr, unsigned int rank) {
    return __cudair_cluster_map(ptr, rank);
}
__CUDAIR_D unsigned int __cluster_query_shared_rank(const void* ptr) { return __cudair_cluster_rank(ptr); }

__CUDAIR_D dim3 __clusterDim() {
    return dim3(__cluster_nctaid_x(), __cluster_nctaid_y(), __cluster_nctaid_z());
}
__CUDAIR_D dim3 __clusterRelativeBlockIdx() {
    return dim3(blockIdx.x % __cluster_nctaid_x(), blockIdx.y % __cluster_nctaid_y(),
                blockIdx.z % __cluster_nctaid_z());
}
__CUDAIR_D dim3 __clusterGridDimInClusters() {
    return dim3(gridDim.x / __cluster_nctaid_x(), gridDim.y / __cluster_nctaid_y(),
                gridDim.z / __cluster_nctaid_z());
}
__CUDAIR_D dim3 __clusterIdx() {
    return dim3(blockIdx.x / __cluster_nctaid_x(), blockIdx.y / __cluster_nctaid_y(),
                blockIdx.z / __cluster_nctaid_z());
}
__CUDAIR_D unsigned int __clusterSizeInBlocks() {
    return __cluster_nctaid_x() * __cluster_nctaid_y() * __cluster_nctaid_z();
}
__CUDAIR_D unsigned int __clusterRelativeBlockRank() {
    return (blockIdx.z % __cluster_nctaid_z() * __cluster_nctaid_y() + blockIdx.y % __cluster_nctaid_y()) *
               __cluster_nctaid_x() +
           blockIdx.x % __cluster_nctaid_x();
}

#endif
