/* A block whose threads pass items to each other. */
#ifndef CUDAIR_CUB_BLOCK_SHUFFLE_H
#define CUDAIR_CUB_BLOCK_SHUFFLE_H

#include <cub/detail/block_shape.cuh>

namespace cub {

template <typename T, int BLOCK_DIM_X, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0> class BlockShuffle {
    enum { THREADS = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z };
    struct Storage {
        T items[THREADS];
    };
    Storage& storage;
    int tid;
    __device__ static Storage& own() {
        __shared__ Storage shared;
        return shared;
    }

public:
    typedef Storage TempStorage;
    __device__ BlockShuffle() : storage(own()), tid(RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z)) {}
    __device__ BlockShuffle(TempStorage& temp) : storage(temp), tid(RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z)) {}
    /* From `distance` threads further on; beyond the block the output stays as it is. */
    __device__ void Offset(T input, T& output, int distance = 1) {
        storage.items[tid] = input;
        __syncthreads();
        if (tid + distance >= 0 && tid + distance < THREADS) output = storage.items[tid + distance];
    }
    __device__ void Rotate(T input, T& output, unsigned distance = 1) {
        storage.items[tid] = input;
        __syncthreads();
        output = storage.items[(tid + distance) % THREADS];
    }
    template <int ITEMS> __device__ void Up(T (&input)[ITEMS], T (&prev)[ITEMS]) {
        storage.items[tid] = input[ITEMS - 1];
        __syncthreads();
        for (int i = ITEMS - 1; i > 0; i--) prev[i] = input[i - 1];
        if (tid > 0) prev[0] = storage.items[tid - 1];
    }
    template <int ITEMS> __device__ void Up(T (&input)[ITEMS], T (&prev)[ITEMS], T& suffix) {
        Up(input, prev);
        suffix = storage.items[THREADS - 1];
    }
    template <int ITEMS> __device__ void Down(T (&input)[ITEMS], T (&next)[ITEMS]) {
        storage.items[tid] = input[0];
        __syncthreads();
        for (int i = 0; i + 1 < ITEMS; i++) next[i] = input[i + 1];
        if (tid + 1 < THREADS) next[ITEMS - 1] = storage.items[tid + 1];
    }
    template <int ITEMS> __device__ void Down(T (&input)[ITEMS], T (&next)[ITEMS], T& prefix) {
        Down(input, next);
        prefix = storage.items[0];
    }
};

}

#endif
