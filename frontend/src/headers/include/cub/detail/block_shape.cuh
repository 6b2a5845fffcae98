/* The shape of a block, as its collectives are told it. */
#ifndef CUDAIR_CUB_BLOCK_SHAPE_H
#define CUDAIR_CUB_BLOCK_SHAPE_H

#include <cub/detail/shuffle.cuh>

namespace cub {

namespace detail {

/* What the collectives of a block share. */
template <int X, int Y, int Z> struct BlockShape {
    enum { THREADS = X * Y * Z, WARPS = (THREADS + 31) / 32 };
    int tid = RowMajorTid(X, Y, Z), warp = tid / 32, lane = tid % 32;
    int in_warp = THREADS - warp * 32 < 32 ? THREADS - warp * 32 : 32;
    unsigned mask = members(in_warp, 0);
    __device__ BlockShape() {}
};

}

}

#endif
