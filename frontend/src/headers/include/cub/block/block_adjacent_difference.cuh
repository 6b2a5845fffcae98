/* What a function makes of neighbours in a block. */
#ifndef CUDAIR_CUB_BLOCK_ADJACENT_DIFFERENCE_H
#define CUDAIR_CUB_BLOCK_ADJACENT_DIFFERENCE_H

#include <cub/detail/block_shape.cuh>

namespace cub {

template <typename T, int BLOCK_DIM_X, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0> class BlockAdjacentDifference {
    enum { THREADS = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z };
    struct Storage {
        T first[THREADS];
        T last[THREADS];
    };
    Storage& storage;
    int tid;
    __device__ static Storage& own() {
        __shared__ Storage shared;
        return shared;
    }
    template <int ITEMS> __device__ void share(T (&items)[ITEMS]) {
        storage.first[tid] = items[0];
        storage.last[tid] = items[ITEMS - 1];
        __syncthreads();
    }
    template <int ITEMS, typename Out, typename Op>
    __device__ void left(T (&items)[ITEMS], Out (&out)[ITEMS], Op op, int valid, T* before) {
        share(items);
        for (int i = ITEMS - 1; i > 0; i--) out[i] = tid * ITEMS + i < valid ? static_cast<Out>(op(items[i], items[i - 1])) : static_cast<Out>(items[i]);
        if (tid > 0 && tid * ITEMS < valid) out[0] = op(items[0], storage.last[tid - 1]);
        else if (tid == 0 && before) out[0] = op(items[0], *before);
        else out[0] = items[0];
    }
    template <int ITEMS, typename Out, typename Op>
    __device__ void right(T (&items)[ITEMS], Out (&out)[ITEMS], Op op, int valid, T* after) {
        share(items);
        for (int i = 0; i < ITEMS; i++) {
            const int at = tid * ITEMS + i;
            T own = items[i];
            if (at + 1 < valid) out[i] = op(own, i + 1 < ITEMS ? items[i + 1] : storage.first[tid + 1]);
            else if (after && at == THREADS * ITEMS - 1) out[i] = op(own, *after);
            else out[i] = own;
        }
    }

public:
    typedef Storage TempStorage;
    __device__ BlockAdjacentDifference() : storage(own()), tid(RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z)) {}
    __device__ BlockAdjacentDifference(TempStorage& temp) : storage(temp), tid(RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z)) {}
    template <int ITEMS, typename Out, typename Op> __device__ void SubtractLeft(T (&items)[ITEMS], Out (&out)[ITEMS], Op op) {
        left(items, out, op, THREADS * ITEMS, nullptr);
    }
    template <int ITEMS, typename Out, typename Op> __device__ void SubtractLeft(T (&items)[ITEMS], Out (&out)[ITEMS], Op op, T before) {
        left(items, out, op, THREADS * ITEMS, &before);
    }
    template <int ITEMS, typename Out, typename Op> __device__ void SubtractLeftPartialTile(T (&items)[ITEMS], Out (&out)[ITEMS], Op op, int valid) {
        left(items, out, op, valid, nullptr);
    }
    template <int ITEMS, typename Out, typename Op>
    __device__ void SubtractLeftPartialTile(T (&items)[ITEMS], Out (&out)[ITEMS], Op op, int valid, T before) {
        left(items, out, op, valid, &before);
    }
    template <int ITEMS, typename Out, typename Op> __device__ void SubtractRight(T (&items)[ITEMS], Out (&out)[ITEMS], Op op) {
        right(items, out, op, THREADS * ITEMS, nullptr);
    }
    template <int ITEMS, typename Out, typename Op> __device__ void SubtractRight(T (&items)[ITEMS], Out (&out)[ITEMS], Op op, T after) {
        right(items, out, op, THREADS * ITEMS, &after);
    }
    template <int ITEMS, typename Out, typename Op> __device__ void SubtractRightPartialTile(T (&items)[ITEMS], Out (&out)[ITEMS], Op op, int valid) {
        right(items, out, op, valid, nullptr);
    }
};

}

#endif
