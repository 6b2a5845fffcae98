/* Scans of a block. */
#ifndef CUDAIR_CUB_BLOCK_SCAN_H
#define CUDAIR_CUB_BLOCK_SCAN_H

#include <cub/detail/block_shape.cuh>
#include <cub/warp/warp_scan.cuh>

namespace cub {

enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

template <typename T, int BLOCK_DIM_X, BlockScanAlgorithm ALGORITHM = BLOCK_SCAN_RAKING, int BLOCK_DIM_Y = 1,
          int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockScan {
    typedef detail::BlockShape<BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z> Shape;
    struct Storage {
        T partial[Shape::WARPS];
        T prefix;
    };
    Storage& storage;
    __device__ static Storage& own() {
        __shared__ Storage shared;
        return shared;
    }
    /* All up to the thread's own input, all before it (not of the first thread), and all. */
    template <typename Op> __device__ void scan(T input, Op op, T& inclusive, T& before, T& aggregate) {
        const Shape shape;
        inclusive = WarpScan<T>::among(input, op, shape.lane, shape.mask);
        before = detail::Shuffle<T>::up(shape.mask, inclusive, 1, 32);
        if (shape.lane == shape.in_warp - 1) storage.partial[shape.warp] = inclusive;
        __syncthreads();
        aggregate = storage.partial[0];
        for (int w = 1; w < shape.warps; w++) {
            if (w == shape.warp) {
                inclusive = op(aggregate, inclusive);
                before = shape.lane == 0 ? aggregate : op(aggregate, before);
            }
            aggregate = op(aggregate, storage.partial[w]);
        }
    }
    /* What a functor of the caller's gives for the block's aggregate, asked by the first warp. */
    template <typename F> __device__ T prefix_of(F& functor, const T& aggregate) {
        const Shape shape;
        if (shape.warp == 0) {
            const T prefix = functor(aggregate);
            if (shape.tid == 0) storage.prefix = prefix;
        }
        __syncthreads();
        return storage.prefix;
    }
    template <int N, typename Op> __device__ static T fold(T (&inputs)[N], Op op) {
        T all = inputs[0];
        for (int i = 1; i < N; i++) all = op(all, inputs[i]);
        return all;
    }

public:
    typedef Storage TempStorage;
    __device__ BlockScan() : storage(own()) {}
    __device__ BlockScan(TempStorage& temp) : storage(temp) {}

    template <typename Op> __device__ void InclusiveScan(T input, T& output, Op op, T& aggregate) {
        T inclusive, before;
        scan(input, op, inclusive, before, aggregate);
        output = inclusive;
    }
    template <typename Op> __device__ void InclusiveScan(T input, T& output, Op op) {
        T aggregate;
        InclusiveScan(input, output, op, aggregate);
    }
    template <typename Op> __device__ void ExclusiveScan(T input, T& output, T initial, Op op, T& aggregate) {
        T inclusive, before;
        scan(input, op, inclusive, before, aggregate);
        output = Shape().tid == 0 ? initial : op(initial, before);
    }
    template <typename Op> __device__ void ExclusiveScan(T input, T& output, T initial, Op op) {
        T aggregate;
        ExclusiveScan(input, output, initial, op, aggregate);
    }
    /* Without an initial value: the first thread's output is not set. */
    template <typename Op> __device__ void ExclusiveScan(T input, T& output, Op op) {
        T aggregate;
        ExclusiveScan(input, output, op, aggregate);
    }
    template <typename Op, typename = typename std::enable_if<!std::is_convertible<Op, T>::value>::type>
    __device__ void ExclusiveScan(T input, T& output, Op op, T& aggregate) {
        T inclusive, before;
        scan(input, op, inclusive, before, aggregate);
        if (Shape().tid > 0) output = before;
    }
    template <typename Op> __device__ void InclusiveScan(T input, T& output, T initial, Op op) {
        T aggregate;
        InclusiveScan(input, output, op, aggregate);
        output = op(initial, output);
    }
    template <typename Op, typename F, typename = decltype(std::declval<F&>()(std::declval<T>()))>
    __device__ void InclusiveScan(T input, T& output, Op op, F& prefix) {
        T inclusive, before, aggregate;
        scan(input, op, inclusive, before, aggregate);
        output = op(prefix_of(prefix, aggregate), inclusive);
    }
    template <typename Op, typename F, typename = decltype(std::declval<F&>()(std::declval<T>()))>
    __device__ void ExclusiveScan(T input, T& output, Op op, F& prefix) {
        T inclusive, before, aggregate;
        scan(input, op, inclusive, before, aggregate);
        const T first = prefix_of(prefix, aggregate);
        output = Shape().tid == 0 ? first : op(first, before);
    }
    __device__ void InclusiveSum(T input, T& output) { InclusiveScan(input, output, cub::Sum()); }
    __device__ void InclusiveSum(T input, T& output, T& aggregate) { InclusiveScan(input, output, cub::Sum(), aggregate); }
    __device__ void ExclusiveSum(T input, T& output) { ExclusiveScan(input, output, T{}, cub::Sum()); }
    __device__ void ExclusiveSum(T input, T& output, T& aggregate) {
        ExclusiveScan(input, output, T{}, cub::Sum(), aggregate);
    }
    /* With a functor that gives what stands before the block's inputs. */
    template <typename F, typename = decltype(std::declval<F&>()(std::declval<T>()))>
    __device__ void InclusiveSum(T input, T& output, F& prefix) {
        T inclusive, before, aggregate;
        scan(input, cub::Sum(), inclusive, before, aggregate);
        output = prefix_of(prefix, aggregate) + inclusive;
    }
    template <typename F, typename = decltype(std::declval<F&>()(std::declval<T>()))>
    __device__ void ExclusiveSum(T input, T& output, F& prefix) {
        T inclusive, before, aggregate;
        scan(input, cub::Sum(), inclusive, before, aggregate);
        const T first = prefix_of(prefix, aggregate);
        output = Shape().tid == 0 ? first : first + before;
    }
    /* Several inputs of each thread, which follow each other. */
    template <int N, typename Op> __device__ void InclusiveScan(T (&inputs)[N], T (&outputs)[N], Op op, T& aggregate) {
        T inclusive, before;
        scan(fold(inputs, op), op, inclusive, before, aggregate);
        T all = Shape().tid == 0 ? inputs[0] : op(before, inputs[0]);
        for (int i = 0; i < N; i++) {
            const T mine = all;
            if (i + 1 < N) all = op(all, inputs[i + 1]);
            outputs[i] = mine;
        }
    }
    template <int N, typename Op> __device__ void InclusiveScan(T (&inputs)[N], T (&outputs)[N], Op op) {
        T aggregate;
        InclusiveScan(inputs, outputs, op, aggregate);
    }
    template <int N, typename Op>
    __device__ void ExclusiveScan(T (&inputs)[N], T (&outputs)[N], T initial, Op op, T& aggregate) {
        T inclusive, before;
        scan(fold(inputs, op), op, inclusive, before, aggregate);
        T all = Shape().tid == 0 ? initial : op(initial, before);
        for (int i = 0; i < N; i++) {
            const T input = inputs[i];
            outputs[i] = all;
            all = op(all, input);
        }
    }
    template <int N, typename Op> __device__ void ExclusiveScan(T (&inputs)[N], T (&outputs)[N], T initial, Op op) {
        T aggregate;
        ExclusiveScan(inputs, outputs, initial, op, aggregate);
    }
    template <int N, typename Op, typename F, typename = decltype(std::declval<F&>()(std::declval<T>()))>
    __device__ void InclusiveScan(T (&inputs)[N], T (&outputs)[N], Op op, F& prefix) {
        T inclusive, before, aggregate;
        scan(fold(inputs, op), op, inclusive, before, aggregate);
        const T first = prefix_of(prefix, aggregate);
        T all = op(Shape().tid == 0 ? first : static_cast<T>(op(first, before)), inputs[0]);
        for (int i = 0; i < N; i++) {
            const T mine = all;
            if (i + 1 < N) all = op(all, inputs[i + 1]);
            outputs[i] = mine;
        }
    }
    template <int N, typename Op, typename F, typename = decltype(std::declval<F&>()(std::declval<T>()))>
    __device__ void ExclusiveScan(T (&inputs)[N], T (&outputs)[N], Op op, F& prefix) {
        T inclusive, before, aggregate;
        scan(fold(inputs, op), op, inclusive, before, aggregate);
        const T first = prefix_of(prefix, aggregate);
        T all = Shape().tid == 0 ? first : static_cast<T>(op(first, before));
        for (int i = 0; i < N; i++) {
            const T input = inputs[i];
            outputs[i] = all;
            all = op(all, input);
        }
    }
    template <int N, typename F, typename = decltype(std::declval<F&>()(std::declval<T>()))>
    __device__ void InclusiveSum(T (&inputs)[N], T (&outputs)[N], F& prefix) {
        InclusiveScan(inputs, outputs, cub::Sum(), prefix);
    }
    template <int N, typename F, typename = decltype(std::declval<F&>()(std::declval<T>()))>
    __device__ void ExclusiveSum(T (&inputs)[N], T (&outputs)[N], F& prefix) {
        ExclusiveScan(inputs, outputs, cub::Sum(), prefix);
    }
    template <int N> __device__ void InclusiveSum(T (&inputs)[N], T (&outputs)[N]) {
        InclusiveScan(inputs, outputs, cub::Sum());
    }
    template <int N> __device__ void InclusiveSum(T (&inputs)[N], T (&outputs)[N], T& aggregate) {
        InclusiveScan(inputs, outputs, cub::Sum(), aggregate);
    }
    template <int N> __device__ void ExclusiveSum(T (&inputs)[N], T (&outputs)[N]) {
        ExclusiveScan(inputs, outputs, T{}, cub::Sum());
    }
    template <int N> __device__ void ExclusiveSum(T (&inputs)[N], T (&outputs)[N], T& aggregate) {
        ExclusiveScan(inputs, outputs, T{}, cub::Sum(), aggregate);
    }
};

}

#endif
