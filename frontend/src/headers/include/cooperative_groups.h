/* Cooperative groups: blocks, tiles of a warp, the lanes that run together, clusters, the grid. Written with the warp's and
   the block's own operations, so that what races with whom is what it is in CUDA. */
#ifndef CUDAIR_COOPERATIVE_GROUPS_H
#define CUDAIR_COOPERATIVE_GROUPS_H

#include <cuda_runtime.h>

#define _CG_HAS_GRID_GROUP
#define _CG_HAS_CLUSTER_GROUP
#define __CUDAIR_CG __device__ inline

/* What a grid's blocks have arrived at: how many of them, and how often all have. */
static __device__ unsigned int __cudair_grid_arrived;
static __device__ unsigned int __cudair_grid_rounds;

namespace cooperative_groups {

namespace __cudair {
__CUDAIR_CG unsigned int __rank_in_block() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
__CUDAIR_CG unsigned int __block_size() { return blockDim.x * blockDim.y * blockDim.z; }
__CUDAIR_CG unsigned int __lane() { return __rank_in_block() & 31u; }
/* The lane of the n-th bit of a mask; 32 where it has fewer. */
__CUDAIR_CG unsigned int __nth(unsigned int __mask, unsigned int __n) {
    for (; __n != 0; __n--)
        __mask &= __mask - 1;
    return __mask == 0 ? 32u : (unsigned int)__ffs((int)__mask) - 1;
}
/* The bits of a value that a mask names, side by side. */
__CUDAIR_CG unsigned int __pack(unsigned int __mask, unsigned int __value) {
    unsigned int __out = 0, __n = 0;
    for (; __mask != 0; __mask &= __mask - 1, __n++)
        if (__value & __mask & (0u - __mask))
            __out |= 1u << __n;
    return __out;
}

/* A value of any type that can be copied as bytes, word by word. */
template <typename _Tp> struct __words {
    static_assert(sizeof(_Tp) <= 32, "shuffles pass values of at most 32 bytes");
    static const int __count = (sizeof(_Tp) + 3) / 4;
};
#define __CUDAIR_SHUFFLE(__name, __primitive, _Dp)                                                     \
    template <typename _Tp>                                                                            \
    __CUDAIR_CG _Tp __name(unsigned int __mask, _Tp __value, _Dp __how, int __width) {                 \
        unsigned int __w[__words<_Tp>::__count] = {};                                                  \
        __builtin_memcpy(__w, &__value, sizeof(_Tp));                                                  \
        for (int __i = 0; __i < __words<_Tp>::__count; __i++)                                          \
            __w[__i] = __primitive(__mask, __w[__i], __how, __width);                                  \
        _Tp __out;                                                                                     \
        __builtin_memcpy(&__out, __w, sizeof(_Tp));                                                    \
        return __out;                                                                                  \
    }                                                                                                  \
    __CUDAIR_CG int __name(unsigned int __mask, int __value, _Dp __how, int __width) {                 \
        return __primitive(__mask, __value, __how, __width);                                           \
    }                                                                                                  \
    __CUDAIR_CG unsigned int __name(unsigned int __mask, unsigned int __value, _Dp __how, int __width) { \
        return __primitive(__mask, __value, __how, __width);                                           \
    }                                                                                                  \
    __CUDAIR_CG float __name(unsigned int __mask, float __value, _Dp __how, int __width) {             \
        return __primitive(__mask, __value, __how, __width);                                           \
    }                                                                                                  \
    __CUDAIR_CG double __name(unsigned int __mask, double __value, _Dp __how, int __width) {           \
        return __primitive(__mask, __value, __how, __width);                                           \
    }                                                                                                  \
    __CUDAIR_CG long long __name(unsigned int __mask, long long __value, _Dp __how, int __width) {     \
        return __primitive(__mask, __value, __how, __width);                                           \
    }                                                                                                  \
    __CUDAIR_CG unsigned long long __name(unsigned int __mask, unsigned long long __value, _Dp __how,  \
                                          int __width) {                                               \
        return __primitive(__mask, __value, __how, __width);                                           \
    }
__CUDAIR_SHUFFLE(__shuffle, __shfl_sync, int)
__CUDAIR_SHUFFLE(__shuffle_up, __shfl_up_sync, unsigned int)
__CUDAIR_SHUFFLE(__shuffle_down, __shfl_down_sync, unsigned int)
__CUDAIR_SHUFFLE(__shuffle_xor, __shfl_xor_sync, int)
#undef __CUDAIR_SHUFFLE

enum __kind { __block_kind, __lanes_kind, __warps_kind };

/* Tiles of several warps: how many of a tile's warps have arrived, how often all have, and a place to pass values. The
   tiles of each size have places of their own; a block has no more than 31 in all. */
struct __place {
    unsigned int __arrived, __rounds;
};
__CUDAIR_CG __place* __places() {
    __shared__ __place __all[31];
    return __all;
}
__CUDAIR_CG unsigned long long* __passed(unsigned int __index) {
    __shared__ unsigned long long __all[32][4];
    return __all[__index];
}
__CUDAIR_CG unsigned int __place_of(unsigned int __size, unsigned int __tile) {
    return 32u - 2048u / __size + __tile;
}
/* The first lane of each warp waits for those of the others. */
__CUDAIR_CG void __sync_warps(unsigned int __index, unsigned int __size) {
    __place* __at = __places() + __index;
    __syncwarp();
    if (__lane() == 0) {
        unsigned int __round = atomicAdd_block(&__at->__rounds, 0u);
        __threadfence_block();
        if (atomicAdd_block(&__at->__arrived, 1u) + 1 == __size / 32) {
            __threadfence_block();
            atomicExch_block(&__at->__arrived, 0u);
            __threadfence_block();
            atomicAdd_block(&__at->__rounds, 1u);
        } else {
            while (atomicAdd_block(&__at->__rounds, 0u) == __round)
                __cudair_pause();
        }
        __threadfence_block();
    }
    __syncwarp();
}
} /* namespace __cudair */

/* Memory that a block lends to its tiles of more than 32 threads. They have their own here. */
template <unsigned int _Threads = 1024> struct __align__(16) block_tile_memory {
    unsigned char __bytes[(_Threads + 31) / 32 * 8];
};

/* Any group of threads of a block: what the others are when a function takes one of them. */
class thread_group {
protected:
    __cudair::__kind __kind_;
    unsigned int __mask_, __size_, __rank_;
    __device__ thread_group(__cudair::__kind __kind, unsigned int __mask, unsigned int __size, unsigned int __rank)
        : __kind_(__kind), __mask_(__mask), __size_(__size), __rank_(__rank) {}
    friend __device__ thread_group tiled_partition(const thread_group& __parent, unsigned int __size);

public:
    __device__ void sync() const {
        if (__kind_ == __cudair::__block_kind)
            __syncthreads();
        else if (__kind_ == __cudair::__warps_kind)
            __cudair::__sync_warps(__mask_, __size_);
        else
            __syncwarp(__mask_);
    }
    __device__ unsigned int thread_rank() const { return __rank_; }
    __device__ unsigned int size() const { return __size_; }
    __device__ unsigned int num_threads() const { return __size_; }
    __device__ bool is_valid() const { return true; }
};

/* The block. */
class thread_block : public thread_group {
    __device__ thread_block()
        : thread_group(__cudair::__block_kind, 0, __cudair::__block_size(), __cudair::__rank_in_block()) {}
    friend __device__ thread_block this_thread_block();

public:
    __device__ static void sync() { __syncthreads(); }
    __device__ static unsigned int thread_rank() { return __cudair::__rank_in_block(); }
    __device__ static unsigned int size() { return __cudair::__block_size(); }
    __device__ static unsigned int num_threads() { return __cudair::__block_size(); }
    __device__ static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    __device__ static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
    __device__ static dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
    __device__ static dim3 dim_threads() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
    /* The block waits as a whole, so that to arrive is nothing. */
    struct arrival_token {};
    __device__ arrival_token barrier_arrive() const { return arrival_token(); }
    __device__ void barrier_wait(arrival_token&&) const { __syncthreads(); }
};
__CUDAIR_CG thread_block this_thread_block() { return thread_block(); }
template <unsigned int _Threads> __CUDAIR_CG thread_block this_thread_block(block_tile_memory<_Threads>&) {
    return this_thread_block();
}

/* The lanes that run together at this moment, or those of them that a partition names. */
class coalesced_group : public thread_group {
    unsigned int __meta_size_, __meta_rank_;
    __device__ static unsigned int __rank_of(unsigned int __mask) {
        return (unsigned int)__popc(__mask & ((1u << __cudair::__lane()) - 1));
    }
    __device__ int __lane_of(unsigned int __rank) const {
        return (int)(__cudair::__nth(__mask_, __rank) & 31u);
    }

public:
    __device__ explicit coalesced_group(unsigned int __mask, unsigned int __meta_size = 1,
                                        unsigned int __meta_rank = 0)
        : thread_group(__cudair::__lanes_kind, __mask, (unsigned int)__popc(__mask), __rank_of(__mask)),
          __meta_size_(__meta_size), __meta_rank_(__meta_rank) {}
    __device__ void sync() const { __syncwarp(__mask_); }
    __device__ unsigned int meta_group_size() const { return __meta_size_; }
    __device__ unsigned int meta_group_rank() const { return __meta_rank_; }
    __device__ unsigned int __lanes() const { return __mask_; }
    template <typename _Tp> __device__ _Tp shfl(_Tp __value, int __rank) const {
        return __cudair::__shuffle(__mask_, __value, __lane_of((unsigned int)__rank % __size_), 32);
    }
    template <typename _Tp> __device__ _Tp shfl_up(_Tp __value, unsigned int __delta) const {
        int __from = __rank_ < __delta ? (int)__cudair::__lane() : __lane_of(__rank_ - __delta);
        return __cudair::__shuffle(__mask_, __value, __from, 32);
    }
    template <typename _Tp> __device__ _Tp shfl_down(_Tp __value, unsigned int __delta) const {
        int __from = __rank_ + __delta >= __size_ ? (int)__cudair::__lane() : __lane_of(__rank_ + __delta);
        return __cudair::__shuffle(__mask_, __value, __from, 32);
    }
    __device__ int any(int __predicate) const { return __any_sync(__mask_, __predicate); }
    __device__ int all(int __predicate) const { return __all_sync(__mask_, __predicate); }
    __device__ unsigned int ballot(int __predicate) const {
        return __cudair::__pack(__mask_, __ballot_sync(__mask_, __predicate));
    }
    template <typename _Tp> __device__ unsigned int match_any(_Tp __value) const {
        return __cudair::__pack(__mask_, __match_any_sync(__mask_, __value));
    }
    template <typename _Tp> __device__ unsigned int match_all(_Tp __value, int& __predicate) const {
        return __cudair::__pack(__mask_, __match_all_sync(__mask_, __value, &__predicate));
    }
};
__CUDAIR_CG coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

namespace __cudair {
template <unsigned int _Size, bool _Warps> class __tile;

/* So many lanes side by side, a power of two, of a warp. */
template <unsigned int _Size> class __tile<_Size, false> : public thread_group {
    static_assert(_Size != 0 && (_Size & (_Size - 1)) == 0, "the size of a tile is a power of two");
    unsigned int __meta_size_, __meta_rank_;
    __device__ static unsigned int __mask_of() {
        return _Size >= 32 ? 0xffffffffu : ((1u << (_Size & 31u)) - 1) << (__cudair::__lane() & ~(_Size - 1));
    }

public:
    __device__ __tile(unsigned int __threads, unsigned int __rank)
        : thread_group(__cudair::__lanes_kind, __mask_of(), _Size, __cudair::__lane() & (_Size - 1)),
          __meta_size_((__threads + _Size - 1) / _Size), __meta_rank_(__rank / _Size) {}
    __device__ void sync() const { __syncwarp(__mask_); }
    __device__ static constexpr unsigned int size() { return _Size; }
    __device__ static constexpr unsigned int num_threads() { return _Size; }
    __device__ unsigned int meta_group_size() const { return __meta_size_; }
    __device__ unsigned int meta_group_rank() const { return __meta_rank_; }
    __device__ unsigned int __lanes() const { return __mask_; }
    template <typename _Tp> __device__ _Tp shfl(_Tp __value, int __rank) const {
        return __cudair::__shuffle(__mask_, __value, __rank, (int)_Size);
    }
    template <typename _Tp> __device__ _Tp shfl_up(_Tp __value, unsigned int __delta) const {
        return __cudair::__shuffle_up(__mask_, __value, __delta, (int)_Size);
    }
    template <typename _Tp> __device__ _Tp shfl_down(_Tp __value, unsigned int __delta) const {
        return __cudair::__shuffle_down(__mask_, __value, __delta, (int)_Size);
    }
    template <typename _Tp> __device__ _Tp shfl_xor(_Tp __value, unsigned int __lanes) const {
        return __cudair::__shuffle_xor(__mask_, __value, (int)__lanes, (int)_Size);
    }
    __device__ int any(int __predicate) const { return __any_sync(__mask_, __predicate); }
    __device__ int all(int __predicate) const { return __all_sync(__mask_, __predicate); }
    __device__ unsigned int ballot(int __predicate) const { return __shift(__ballot_sync(__mask_, __predicate)); }
    template <typename _Tp> __device__ unsigned int match_any(_Tp __value) const {
        return __shift(__match_any_sync(__mask_, __value));
    }
    template <typename _Tp> __device__ unsigned int match_all(_Tp __value, int& __predicate) const {
        return __shift(__match_all_sync(__mask_, __value, &__predicate));
    }

private:
    __device__ unsigned int __shift(unsigned int __lanes) const {
        return (__lanes & __mask_) >> (__cudair::__lane() & ~(_Size - 1));
    }
};

/* Several warps of a block. All of them make their tiles at once, so that each has its place. */
template <unsigned int _Size> class __tile<_Size, true> : public thread_group {
    static_assert((_Size & (_Size - 1)) == 0 && _Size <= 1024, "the size of a tile is a power of two up to 1024");
    unsigned int __meta_size_, __meta_rank_;

public:
    __device__ __tile(unsigned int __threads, unsigned int __rank)
        : thread_group(__cudair::__warps_kind, __place_of(_Size, __rank / _Size), _Size, __rank & (_Size - 1)),
          __meta_size_((__threads + _Size - 1) / _Size), __meta_rank_(__rank / _Size) {
        __syncthreads();
        if (__rank_ == 0) {
            __places()[__mask_].__arrived = 0;
            __places()[__mask_].__rounds = 0;
        }
        __syncthreads();
    }
    __device__ void sync() const { __sync_warps(__mask_, _Size); }
    __device__ static constexpr unsigned int size() { return _Size; }
    __device__ static constexpr unsigned int num_threads() { return _Size; }
    __device__ unsigned int meta_group_size() const { return __meta_size_; }
    __device__ unsigned int meta_group_rank() const { return __meta_rank_; }
    /* All threads name one rank. */
    template <typename _Tp> __device__ _Tp shfl(_Tp __value, int __rank) const {
        static_assert(sizeof(_Tp) <= 32, "shuffles pass values of at most 32 bytes");
        unsigned long long* __at = __passed(__first_warp());
        if (__rank_ == ((unsigned int)__rank & (_Size - 1)))
            __builtin_memcpy(__at, &__value, sizeof(_Tp));
        sync();
        __builtin_memcpy(&__value, __at, sizeof(_Tp));
        sync();
        return __value;
    }
    /* The values of the warps, as each warp's lanes agree on them, put together. */
    template <typename _Tp, typename _Op> __device__ _Tp __combine(_Tp __value, _Op __op) const {
        static_assert(sizeof(_Tp) <= 32, "groups combine values of at most 32 bytes");
        if (__lane() == 0)
            __builtin_memcpy(__passed(__first_warp() + __rank_ / 32), &__value, sizeof(_Tp));
        sync();
        _Tp __out;
        __builtin_memcpy(&__out, __passed(__first_warp()), sizeof(_Tp));
        for (unsigned int __i = 1; __i < _Size / 32; __i++) {
            _Tp __next;
            __builtin_memcpy(&__next, __passed(__first_warp() + __i), sizeof(_Tp));
            __out = __op(__out, __next);
        }
        sync();
        return __out;
    }
    __device__ int any(int __predicate) const {
        return __combine(__any_sync(0xffffffffu, __predicate), [](int __a, int __b) { return __a | __b; });
    }
    __device__ int all(int __predicate) const {
        return __combine(__all_sync(0xffffffffu, __predicate), [](int __a, int __b) { return __a & __b; });
    }

private:
    __device__ unsigned int __first_warp() const { return __meta_rank_ * (_Size / 32); }
};
} /* namespace __cudair */

template <unsigned int _Size, typename _Parent = void>
class thread_block_tile : public __cudair::__tile<_Size, (_Size > 32)> {
    typedef __cudair::__tile<_Size, (_Size > 32)> __base;

public:
    __device__ thread_block_tile(unsigned int __threads, unsigned int __rank) : __base(__threads, __rank) {}
    /* A tile whatever it was cut from. */
    template <typename _Other>
    __device__ thread_block_tile(const thread_block_tile<_Size, _Other>& __tile) : __base(__tile) {}
};

/* The grid, of a kernel that was launched cooperatively. */
class grid_group {
    __device__ grid_group() {}
    friend __device__ grid_group this_grid();

public:
    __device__ bool is_valid() const { return true; }
    __device__ static unsigned long long num_blocks() { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
    __device__ static unsigned long long block_rank() {
        return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    __device__ static unsigned long long thread_rank() {
        return block_rank() * __cudair::__block_size() + __cudair::__rank_in_block();
    }
    __device__ static unsigned long long size() { return num_blocks() * __cudair::__block_size(); }
    __device__ static unsigned long long num_threads() { return size(); }
    __device__ static dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
    __device__ static dim3 dim_blocks() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
    __device__ static dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    __device__ static dim3 dim_clusters() { return __clusterGridDimInClusters(); }
    __device__ static dim3 cluster_index() { return __clusterIdx(); }
    __device__ static unsigned long long num_clusters() {
        dim3 __clusters = dim_clusters();
        return (unsigned long long)__clusters.x * __clusters.y * __clusters.z;
    }
    __device__ static unsigned long long cluster_rank() {
        dim3 __index = cluster_index(), __clusters = dim_clusters();
        return ((unsigned long long)__index.z * __clusters.y + __index.y) * __clusters.x + __index.x;
    }
    /* The first thread of each block waits for those of all others. It only reads what it waits for: an atomic operation
       would tell whoever reads the round next what this block has done since its last fence. */
    __device__ static void sync() {
        __syncthreads();
        if (__cudair::__rank_in_block() == 0) {
            volatile unsigned int* __rounds = &__cudair_grid_rounds;
            unsigned int __round = *__rounds;
            __threadfence();
            if (atomicAdd(&__cudair_grid_arrived, 1u) + 1 == (unsigned int)num_blocks()) {
                atomicExch(&__cudair_grid_arrived, 0u);
                __threadfence();
                atomicAdd(&__cudair_grid_rounds, 1u);
            } else {
                while (*__rounds == __round)
                    __cudair_pause();
            }
            __threadfence();
        }
        __cudair_grid_barrier();
    }
};
__CUDAIR_CG grid_group this_grid() { return grid_group(); }

/* The blocks of a cluster; a launch without clusters has one block in each. */
class cluster_group {
    __device__ cluster_group() {}
    friend __device__ cluster_group this_cluster();

public:
    struct arrival_token {};
    __device__ bool is_valid() const { return true; }
    __device__ static void sync() {
        __cluster_barrier_arrive();
        __cluster_barrier_wait();
    }
    __device__ static arrival_token barrier_arrive() {
        __cluster_barrier_arrive();
        return arrival_token();
    }
    __device__ static void barrier_wait() { __cluster_barrier_wait(); }
    __device__ static void barrier_wait(arrival_token&&) { __cluster_barrier_wait(); }
    __device__ static unsigned int query_shared_rank(const void* __ptr) {
        return __cluster_query_shared_rank(__ptr);
    }
    template <typename _Tp> __device__ static _Tp* map_shared_rank(_Tp* __ptr, int __rank) {
        return static_cast<_Tp*>(__cluster_map_shared_rank(__ptr, (unsigned int)__rank));
    }
    __device__ static dim3 block_index() { return __clusterRelativeBlockIdx(); }
    __device__ static unsigned int block_rank() { return __clusterRelativeBlockRank(); }
    __device__ static dim3 thread_index() {
        dim3 __block = __clusterRelativeBlockIdx();
        return dim3(__block.x * blockDim.x + threadIdx.x, __block.y * blockDim.y + threadIdx.y,
                    __block.z * blockDim.z + threadIdx.z);
    }
    __device__ static unsigned int thread_rank() {
        return block_rank() * __cudair::__block_size() + __cudair::__rank_in_block();
    }
    __device__ static dim3 dim_blocks() { return __clusterDim(); }
    __device__ static unsigned int num_blocks() { return __clusterSizeInBlocks(); }
    __device__ static dim3 dim_threads() {
        dim3 __blocks = __clusterDim();
        return dim3(__blocks.x * blockDim.x, __blocks.y * blockDim.y, __blocks.z * blockDim.z);
    }
    __device__ static unsigned int num_threads() { return num_blocks() * __cudair::__block_size(); }
    __device__ static unsigned int size() { return num_threads(); }
};
__CUDAIR_CG cluster_group this_cluster() { return cluster_group(); }

/* What is not supported, by name. */
class multi_grid_group;
multi_grid_group this_multi_grid()
    __attribute__((unavailable("cudair does not support groups over several devices; CUDA 13 has none")));

/* Partitions. */
template <unsigned int _Size>
__CUDAIR_CG thread_block_tile<_Size, thread_block> tiled_partition(const thread_block& __parent) {
    (void)__parent;
    return thread_block_tile<_Size, thread_block>(__cudair::__block_size(), __cudair::__rank_in_block());
}
template <unsigned int _Size, unsigned int _Outer, typename _Parent>
__CUDAIR_CG thread_block_tile<_Size, thread_block_tile<_Outer, _Parent>>
tiled_partition(const thread_block_tile<_Outer, _Parent>& __parent) {
    static_assert(_Size <= _Outer, "a tile is no larger than what it is cut from");
    return thread_block_tile<_Size, thread_block_tile<_Outer, _Parent>>(_Outer, __parent.thread_rank());
}
template <unsigned int _Size>
__CUDAIR_CG thread_block_tile<_Size, thread_group> tiled_partition(const thread_group& __parent) {
    return thread_block_tile<_Size, thread_group>(__parent.size(), __parent.thread_rank());
}
__CUDAIR_CG thread_group tiled_partition(const thread_group& __parent, unsigned int __size) {
    unsigned int __rank = __parent.thread_rank(), __first = __rank - __rank % __size;
    unsigned int __mask;
    if (__parent.__kind_ == __cudair::__block_kind) {
        __mask = __size >= 32 ? 0xffffffffu : ((1u << __size) - 1) << (__first & 31u);
    } else {
        __mask = 0;
        for (unsigned int __i = __first; __i < __first + __size && __i < __parent.size(); __i++)
            __mask |= 1u << __cudair::__nth(__parent.__mask_, __i);
    }
    return thread_group(__cudair::__lanes_kind, __mask, (unsigned int)__popc(__mask), __rank % __size);
}
__CUDAIR_CG coalesced_group tiled_partition(const coalesced_group& __parent, unsigned int __size) {
    unsigned int __rank = __parent.thread_rank(), __first = __rank - __rank % __size, __mask = 0;
    for (unsigned int __i = __first; __i < __first + __size && __i < __parent.size(); __i++)
        __mask |= 1u << __cudair::__nth(__parent.__lanes(), __i);
    return coalesced_group(__mask, (__parent.size() + __size - 1) / __size, __rank / __size);
}
template <typename _Group> __CUDAIR_CG coalesced_group labeled_partition(const _Group& __group, int __label) {
    unsigned int __mask = __match_any_sync(__group.__lanes(), __label), __rank = 0, __count = 0;
    /* Parts are counted in the order of their first lanes. */
    for (unsigned int __rest = __group.__lanes(); __rest != 0;) {
        unsigned int __first = (unsigned int)__ffs((int)__rest) - 1;
        int __other = __shfl_sync(__group.__lanes(), __label, (int)__first);
        unsigned int __part = __ballot_sync(__group.__lanes(), __other == __label);
        unsigned int __same = __shfl_sync(__group.__lanes(), __part, (int)__first);
        if (__other == __label)
            __rank = __count;
        __count++;
        __rest &= ~__same;
    }
    return coalesced_group(__mask, __count, __rank);
}
template <typename _Group> __CUDAIR_CG coalesced_group binary_partition(const _Group& __group, bool __predicate) {
    unsigned int __yes = __ballot_sync(__group.__lanes(), __predicate);
    unsigned int __mask = __predicate ? __yes : __group.__lanes() & ~__yes;
    return coalesced_group(__mask, 2, __predicate ? 1 : 0);
}

/* One thread. */
__CUDAIR_CG coalesced_group this_thread() { return coalesced_group(1u << __cudair::__lane()); }

/* One thread of a group does something; of a group of lanes all get what it gives. */
template <typename _Group, typename _Fn, typename... _Args>
__CUDAIR_CG void invoke_one(const _Group& __group, _Fn&& __fn, _Args&&... __args) {
    if (__group.thread_rank() == 0)
        static_cast<_Fn&&>(__fn)(static_cast<_Args&&>(__args)...);
}
template <typename _Group, typename _Fn, typename... _Args>
__CUDAIR_CG auto invoke_one_broadcast(const _Group& __group, _Fn&& __fn, _Args&&... __args)
    -> decltype(__fn(static_cast<_Args&&>(__args)...)) {
    decltype(__fn(static_cast<_Args&&>(__args)...)) __result;
    if (__group.thread_rank() == 0)
        __result = static_cast<_Fn&&>(__fn)(static_cast<_Args&&>(__args)...);
    return __group.shfl(__result, 0);
}

template <typename _Group> __CUDAIR_CG void sync(const _Group& __group) { __group.sync(); }
/* The older name. */
template <typename _Group> __CUDAIR_CG void synchronize(const _Group& __group) { __group.sync(); }
template <typename _Group> __CUDAIR_CG auto thread_rank(const _Group& __group) -> decltype(__group.thread_rank()) {
    return __group.thread_rank();
}
template <typename _Group> __CUDAIR_CG auto group_size(const _Group& __group) -> decltype(__group.size()) {
    return __group.size();
}

} /* namespace cooperative_groups */

#undef __CUDAIR_CG
#endif
