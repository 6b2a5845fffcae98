/* Stores of a block, in each of the arrangements, and of a warp. */
#ifndef CUDAIR_CUB_BLOCK_STORE_H
#define CUDAIR_CUB_BLOCK_STORE_H

#include <cub/block/block_load.cuh>

namespace cub {

enum BlockStoreAlgorithm {
    BLOCK_STORE_DIRECT,
    BLOCK_STORE_STRIPED,
    BLOCK_STORE_VECTORIZE,
    BLOCK_STORE_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};
enum WarpStoreAlgorithm { WARP_STORE_DIRECT, WARP_STORE_STRIPED, WARP_STORE_VECTORIZE, WARP_STORE_TRANSPOSE };

template <typename T, int ITEMS, typename It> __device__ void StoreDirectBlocked(int tid, It to, T (&items)[ITEMS]) {
    for (int i = 0; i < ITEMS; i++) to[tid * ITEMS + i] = items[i];
}
template <typename T, int ITEMS, typename It> __device__ void StoreDirectBlocked(int tid, It to, T (&items)[ITEMS], int valid) {
    for (int i = 0; i < ITEMS; i++)
        if (tid * ITEMS + i < valid) to[tid * ITEMS + i] = items[i];
}
template <typename T, int ITEMS> __device__ void StoreDirectBlockedVectorized(int tid, T* to, T (&items)[ITEMS]) { StoreDirectBlocked(tid, to, items); }
template <int THREADS, typename T, int ITEMS, typename It> __device__ void StoreDirectStriped(int tid, It to, T (&items)[ITEMS]) {
    for (int i = 0; i < ITEMS; i++) to[tid + i * THREADS] = items[i];
}
template <int THREADS, typename T, int ITEMS, typename It> __device__ void StoreDirectStriped(int tid, It to, T (&items)[ITEMS], int valid) {
    for (int i = 0; i < ITEMS; i++)
        if (tid + i * THREADS < valid) to[tid + i * THREADS] = items[i];
}
template <typename T, int ITEMS, typename It> __device__ void StoreDirectWarpStriped(int tid, It to, T (&items)[ITEMS]) {
    for (int i = 0; i < ITEMS; i++) to[tid / 32 * 32 * ITEMS + tid % 32 + i * 32] = items[i];
}
template <typename T, int ITEMS, typename It> __device__ void StoreDirectWarpStriped(int tid, It to, T (&items)[ITEMS], int valid) {
    for (int i = 0; i < ITEMS; i++) {
        const int at = tid / 32 * 32 * ITEMS + tid % 32 + i * 32;
        if (at < valid) to[at] = items[i];
    }
}

/* Those that transpose leave the items as they were exchanged. */
template <typename T, int BLOCK_DIM_X, int ITEMS, BlockStoreAlgorithm ALGORITHM = BLOCK_STORE_DIRECT, int BLOCK_DIM_Y = 1,
          int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockStore {
    enum { THREADS = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z };
    /* The algorithms of stores stand in the order of those of loads. */
    typedef typename detail::transfer<ALGORITHM>::type Transfer;
    typedef BlockExchange<T, BLOCK_DIM_X, ITEMS, false, BLOCK_DIM_Y, BLOCK_DIM_Z> Exchange;
    typedef typename detail::transfer_storage<Transfer, Exchange>::type Storage;
    Storage& storage;
    int tid;
    __device__ static Storage& own() {
        __shared__ Storage shared;
        return shared;
    }
    template <typename It, typename... Guard> __device__ void store(It to, T (&items)[ITEMS], Guard... guard) {
        if constexpr (std::is_same<Transfer, detail::striped_transfer>::value) {
            StoreDirectStriped<THREADS>(tid, to, items, guard...);
        } else if constexpr (std::is_same<Transfer, detail::transposed_transfer>::value) {
            Exchange(storage).BlockedToStriped(items);
            StoreDirectStriped<THREADS>(tid, to, items, guard...);
        } else if constexpr (std::is_same<Transfer, detail::warp_transposed_transfer>::value) {
            Exchange(storage).BlockedToWarpStriped(items);
            StoreDirectWarpStriped(tid, to, items, guard...);
        } else {
            StoreDirectBlocked(tid, to, items, guard...);
        }
    }

public:
    typedef Storage TempStorage;
    __device__ BlockStore() : storage(own()), tid(RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z)) {}
    __device__ BlockStore(TempStorage& temp) : storage(temp), tid(RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z)) {}
    template <typename It> __device__ void Store(It to, T (&items)[ITEMS]) { store(to, items); }
    template <typename It> __device__ void Store(It to, T (&items)[ITEMS], int valid) { store(to, items, valid); }
};
template <typename T, int ITEMS, WarpStoreAlgorithm ALGORITHM = WARP_STORE_DIRECT, int LOGICAL_WARP_THREADS = 32, int LEGACY_PTX_ARCH = 0>
class WarpStore {
    int lane;

public:
    struct TempStorage {};
    __device__ WarpStore() : lane(LaneId() % LOGICAL_WARP_THREADS) {}
    __device__ WarpStore(TempStorage&) : WarpStore() {}
    template <typename It> __device__ void Store(It to, T (&items)[ITEMS]) {
        if constexpr (ALGORITHM == WARP_STORE_STRIPED) StoreDirectStriped<LOGICAL_WARP_THREADS>(lane, to, items);
        else StoreDirectBlocked(lane, to, items);
    }
    template <typename It> __device__ void Store(It to, T (&items)[ITEMS], int valid) {
        if constexpr (ALGORITHM == WARP_STORE_STRIPED) StoreDirectStriped<LOGICAL_WARP_THREADS>(lane, to, items, valid);
        else StoreDirectBlocked(lane, to, items, valid);
    }
};

}

#endif
