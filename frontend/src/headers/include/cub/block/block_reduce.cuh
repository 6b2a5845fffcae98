/* Reductions of a block. */
#ifndef CUDAIR_CUB_BLOCK_REDUCE_H
#define CUDAIR_CUB_BLOCK_REDUCE_H

#include <cub/detail/block_shape.cuh>
#include <cub/warp/warp_reduce.cuh>

namespace cub {

enum BlockReduceAlgorithm {
    BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
    BLOCK_REDUCE_RAKING,
    BLOCK_REDUCE_WARP_REDUCTIONS,
    BLOCK_REDUCE_WARP_REDUCTIONS_NONDETERMINISTIC
};

/* The result is the first thread's alone. */
template <typename T, int BLOCK_DIM_X, BlockReduceAlgorithm ALGORITHM = BLOCK_REDUCE_WARP_REDUCTIONS, int BLOCK_DIM_Y = 1,
          int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockReduce {
    typedef detail::BlockShape<BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z> Shape;
    struct Storage {
        T partial[Shape::WARPS];
    };
    Storage& storage;
    __device__ static Storage& own() {
        __shared__ Storage shared;
        return shared;
    }

public:
    typedef Storage TempStorage;
    __device__ BlockReduce() : storage(own()) {}
    __device__ BlockReduce(TempStorage& temp) : storage(temp) {}

    template <typename Op> __device__ T Reduce(T input, Op op, int valid) {
        const Shape shape;
        const int left = valid - shape.warp * 32;
        T result = WarpReduce<T>::among(input, op, left < shape.in_warp ? left : shape.in_warp, shape.lane, shape.mask);
        if (shape.lane == 0) storage.partial[shape.warp] = result;
        __syncthreads();
        if (shape.tid == 0)
            for (int w = 1; w < shape.warps && w * 32 < valid; w++) result = op(result, storage.partial[w]);
        return result;
    }
    template <typename Op> __device__ T Reduce(T input, Op op) { return Reduce(input, op, int(Shape::THREADS)); }
    template <int N, typename Op> __device__ T Reduce(T (&inputs)[N], Op op) {
        T all = inputs[0];
        for (int i = 1; i < N; i++) all = op(all, inputs[i]);
        return Reduce(all, op);
    }
    __device__ T Sum(T input) { return Reduce(input, cub::Sum()); }
    __device__ T Sum(T input, int valid) { return Reduce(input, cub::Sum(), valid); }
    template <int N> __device__ T Sum(T (&inputs)[N]) { return Reduce(inputs, cub::Sum()); }
};

}

#endif
