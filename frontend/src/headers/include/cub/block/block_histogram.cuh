/* Histograms of a block's items. */
#ifndef CUDAIR_CUB_BLOCK_HISTOGRAM_H
#define CUDAIR_CUB_BLOCK_HISTOGRAM_H

#include <cub/detail/block_shape.cuh>

namespace cub {

enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };

template <typename T, int BLOCK_DIM_X, int ITEMS, int BINS, BlockHistogramAlgorithm ALGORITHM = BLOCK_HISTO_SORT, int BLOCK_DIM_Y = 1,
          int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockHistogram {
    enum { THREADS = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z };
    int tid;

public:
    struct TempStorage {};
    __device__ BlockHistogram() : tid(RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z)) {}
    __device__ BlockHistogram(TempStorage&) : BlockHistogram() {}
    template <typename Counter> __device__ void InitHistogram(Counter histogram[BINS]) {
        for (int i = tid; i < BINS; i += THREADS) histogram[i] = 0;
    }
    template <typename Counter> __device__ void Composite(T (&items)[ITEMS], Counter histogram[BINS]) {
        for (int i = 0; i < ITEMS; i++) atomicAdd(histogram + items[i], Counter(1));
    }
    template <typename Counter> __device__ void Histogram(T (&items)[ITEMS], Counter histogram[BINS]) {
        InitHistogram(histogram);
        __syncthreads();
        Composite(items, histogram);
    }
};

}

#endif
