/* Scans of a warp. */
#ifndef CUDAIR_CUB_WARP_SCAN_H
#define CUDAIR_CUB_WARP_SCAN_H

#include <cub/detail/shuffle.cuh>

namespace cub {

template <typename T, int LOGICAL_WARP_THREADS = 32> class WarpScan {
    static_assert((LOGICAL_WARP_THREADS & (LOGICAL_WARP_THREADS - 1)) == 0 && LOGICAL_WARP_THREADS <= 32,
                  "cudair supports cub::WarpScan of a power of two of lanes");
    int lane;
    unsigned mask;

public:
    struct TempStorage {};
    __device__ WarpScan(TempStorage&)
        : lane(LaneId() % LOGICAL_WARP_THREADS), mask(detail::members(LOGICAL_WARP_THREADS, LaneId() - lane)) {}

    template <typename Op> __device__ static T among(T input, Op op, int lane, unsigned mask) {
        for (int delta = 1; delta < LOGICAL_WARP_THREADS; delta *= 2) {
            const T other = detail::Shuffle<T>::up(mask, input, delta, LOGICAL_WARP_THREADS);
            if (lane >= delta) input = op(other, input);
        }
        return input;
    }
    template <typename Op> __device__ void InclusiveScan(T input, T& output, Op op) { output = among(input, op, lane, mask); }
    template <typename Op> __device__ void InclusiveScan(T input, T& output, Op op, T& aggregate) {
        output = among(input, op, lane, mask);
        aggregate = detail::Shuffle<T>::from(mask, output, LOGICAL_WARP_THREADS - 1, LOGICAL_WARP_THREADS);
    }
    /* The first lane's output is not set where no value is given for it. */
    template <typename Op> __device__ void ExclusiveScan(T input, T& output, Op op) {
        const T inclusive = among(input, op, lane, mask);
        output = detail::Shuffle<T>::up(mask, inclusive, 1, LOGICAL_WARP_THREADS);
    }
    template <typename Op> __device__ void ExclusiveScan(T input, T& output, T initial, Op op) {
        ExclusiveScan(input, output, op);
        output = lane == 0 ? initial : op(initial, output);
    }
    template <typename Op> __device__ void ExclusiveScan(T input, T& output, T initial, Op op, T& aggregate) {
        T inclusive;
        InclusiveScan(input, inclusive, op, aggregate);
        const T before = detail::Shuffle<T>::up(mask, inclusive, 1, LOGICAL_WARP_THREADS);
        output = lane == 0 ? initial : op(initial, before);
    }
    __device__ void InclusiveSum(T input, T& output) { InclusiveScan(input, output, cub::Sum()); }
    __device__ void InclusiveSum(T input, T& output, T& aggregate) { InclusiveScan(input, output, cub::Sum(), aggregate); }
    __device__ void ExclusiveSum(T input, T& output) { ExclusiveScan(input, output, T{}, cub::Sum()); }
    __device__ void ExclusiveSum(T input, T& output, T& aggregate) {
        ExclusiveScan(input, output, T{}, cub::Sum(), aggregate);
    }
    template <typename Op> __device__ void InclusiveScan(T input, T& output, T initial, Op op) {
        output = op(initial, among(input, op, lane, mask));
    }
    /* Both at once; the first lane's exclusive output is not set where no value is given for it. */
    template <typename Op> __device__ void Scan(T input, T& inclusive, T& exclusive, Op op) {
        inclusive = among(input, op, lane, mask);
        exclusive = detail::Shuffle<T>::up(mask, inclusive, 1, LOGICAL_WARP_THREADS);
    }
    template <typename Op> __device__ void Scan(T input, T& inclusive, T& exclusive, T initial, Op op) {
        const T all = among(input, op, lane, mask);
        const T before = detail::Shuffle<T>::up(mask, all, 1, LOGICAL_WARP_THREADS);
        inclusive = op(initial, all);
        exclusive = lane == 0 ? initial : op(initial, before);
    }
    __device__ T Broadcast(T input, unsigned from) {
        return detail::Shuffle<T>::from(mask, input, from, LOGICAL_WARP_THREADS);
    }
};

}

#endif
