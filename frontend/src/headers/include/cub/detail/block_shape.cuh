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
    /* A block may have fewer threads than it is told. */
    int threads = int(blockDim.x * blockDim.y * blockDim.z) < THREADS ? int(blockDim.x * blockDim.y * blockDim.z) : int(THREADS);
    int in_warp = threads - warp * 32 < 32 ? threads - warp * 32 : 32;
    int warps = (threads + 31) / 32;
    unsigned mask = in_warp >= 32 ? 0xffffffffu : (1u << in_warp) - 1;
    __device__ BlockShape() {}
};

}

}

#endif
