/* Reductions of a warp. */
#ifndef CUDAIR_CUB_WARP_REDUCE_H
#define CUDAIR_CUB_WARP_REDUCE_H

#include <cub/detail/shuffle.cuh>

namespace cub {

template <typename T, int LOGICAL_WARP_THREADS = 32> class WarpReduce {
    static_assert((LOGICAL_WARP_THREADS & (LOGICAL_WARP_THREADS - 1)) == 0 && LOGICAL_WARP_THREADS <= 32,
                  "cudair supports cub::WarpReduce of a power of two of lanes");

public:
    struct TempStorage {};
    __device__ WarpReduce(TempStorage&) {}

    template <typename Op> __device__ T Reduce(T input, Op op, int valid = LOGICAL_WARP_THREADS) {
        const int lane = LaneId() % LOGICAL_WARP_THREADS;
        const unsigned mask = detail::members(LOGICAL_WARP_THREADS, LaneId() - lane);
        return among(input, op, valid, lane, mask);
    }
    __device__ T Sum(T input, int valid = LOGICAL_WARP_THREADS) { return Reduce(input, cub::Sum(), valid); }
    __device__ T Max(T input, int valid = LOGICAL_WARP_THREADS) { return Reduce(input, cub::Max(), valid); }
    __device__ T Min(T input, int valid = LOGICAL_WARP_THREADS) { return Reduce(input, cub::Min(), valid); }
    /* Of segments, which a flag begins, or ends: each one's result is its first lane's. */
    template <typename Flag, typename Op> __device__ T HeadSegmentedReduce(T input, Flag head, Op op) { return segmented<true>(input, head, op); }
    template <typename Flag, typename Op> __device__ T TailSegmentedReduce(T input, Flag tail, Op op) { return segmented<false>(input, tail, op); }
    template <typename Flag> __device__ T HeadSegmentedSum(T input, Flag head) { return segmented<true>(input, head, cub::Sum()); }
    template <typename Flag> __device__ T TailSegmentedSum(T input, Flag tail) { return segmented<false>(input, tail, cub::Sum()); }

private:
    template <bool HEADS, typename Flag, typename Op> __device__ T segmented(T input, Flag flag, Op op) {
        const int lane = LaneId() % LOGICAL_WARP_THREADS;
        const unsigned first = LaneId() - lane, mask = detail::members(LOGICAL_WARP_THREADS, first);
        unsigned flags = (__ballot_sync(mask, flag ? 1 : 0) & mask) >> first;
        /* The last lane of the own segment: before the next head, or at the next tail. */
        if (HEADS) flags >>= 1;
        flags &= ~0u << lane;
        const int last = flags == 0 ? LOGICAL_WARP_THREADS - 1 : __ffs(flags) - 1;
        for (int delta = 1; delta < LOGICAL_WARP_THREADS; delta *= 2) {
            const bool there = lane + delta < LOGICAL_WARP_THREADS && (mask >> (LaneId() + delta) & 1);
            const T other = detail::Shuffle<T>::from(mask, input, there ? lane + delta : lane, LOGICAL_WARP_THREADS);
            if (there && lane + delta <= last) input = op(input, other);
        }
        return input;
    }

public:
    /* The same where some lanes do not exist. */
    template <typename Op> __device__ static T among(T input, Op op, int valid, int lane, unsigned mask) {
        for (int delta = 1; delta < LOGICAL_WARP_THREADS; delta *= 2) {
            /* The last warp of a block may lack lanes. */
            const unsigned from = (LOGICAL_WARP_THREADS < 32 ? LaneId() : lane) + delta;
            const bool there = lane + delta < LOGICAL_WARP_THREADS && (mask >> from & 1);
            const T other = detail::Shuffle<T>::from(mask, input, there ? lane + delta : lane, LOGICAL_WARP_THREADS);
            if (there && lane + delta < valid) input = op(input, other);
        }
        return input;
    }
};

}

#endif
