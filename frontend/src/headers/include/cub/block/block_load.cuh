/* Loads of a block, in each of the arrangements, and of a warp. */
#ifndef CUDAIR_CUB_BLOCK_LOAD_H
#define CUDAIR_CUB_BLOCK_LOAD_H

#include <cub/block/block_exchange.cuh>

namespace cub {

enum BlockLoadAlgorithm {
    BLOCK_LOAD_DIRECT,
    BLOCK_LOAD_STRIPED,
    BLOCK_LOAD_VECTORIZE,
    BLOCK_LOAD_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum WarpLoadAlgorithm { WARP_LOAD_DIRECT, WARP_LOAD_STRIPED, WARP_LOAD_VECTORIZE, WARP_LOAD_TRANSPOSE };

/* Each thread's items follow each other. */
template <typename T, int ITEMS, typename It> __device__ void LoadDirectBlocked(int tid, It from, T (&items)[ITEMS]) {
    for (int i = 0; i < ITEMS; i++) items[i] = from[tid * ITEMS + i];
}
template <typename T, int ITEMS, typename It> __device__ void LoadDirectBlocked(int tid, It from, T (&items)[ITEMS], int valid) {
    for (int i = 0; i < ITEMS; i++)
        if (tid * ITEMS + i < valid) items[i] = from[tid * ITEMS + i];
}
template <typename T, typename D, int ITEMS, typename It>
__device__ void LoadDirectBlocked(int tid, It from, T (&items)[ITEMS], int valid, D other) {
    for (int i = 0; i < ITEMS; i++) items[i] = tid * ITEMS + i < valid ? static_cast<T>(from[tid * ITEMS + i]) : static_cast<T>(other);
}
template <typename T, int ITEMS> __device__ void LoadDirectBlockedVectorized(int tid, T* from, T (&items)[ITEMS]) { LoadDirectBlocked(tid, from, items); }
/* Each thread's items lie `THREADS` apart. */
template <int THREADS, typename T, int ITEMS, typename It> __device__ void LoadDirectStriped(int tid, It from, T (&items)[ITEMS]) {
    for (int i = 0; i < ITEMS; i++) items[i] = from[tid + i * THREADS];
}
template <int THREADS, typename T, int ITEMS, typename It> __device__ void LoadDirectStriped(int tid, It from, T (&items)[ITEMS], int valid) {
    for (int i = 0; i < ITEMS; i++)
        if (tid + i * THREADS < valid) items[i] = from[tid + i * THREADS];
}
template <int THREADS, typename T, typename D, int ITEMS, typename It>
__device__ void LoadDirectStriped(int tid, It from, T (&items)[ITEMS], int valid, D other) {
    for (int i = 0; i < ITEMS; i++) items[i] = tid + i * THREADS < valid ? static_cast<T>(from[tid + i * THREADS]) : static_cast<T>(other);
}
/* Each thread's items lie a warp apart within the warp's part. */
template <typename T, int ITEMS, typename It> __device__ void LoadDirectWarpStriped(int tid, It from, T (&items)[ITEMS]) {
    for (int i = 0; i < ITEMS; i++) items[i] = from[tid / 32 * 32 * ITEMS + tid % 32 + i * 32];
}
template <typename T, int ITEMS, typename It> __device__ void LoadDirectWarpStriped(int tid, It from, T (&items)[ITEMS], int valid) {
    for (int i = 0; i < ITEMS; i++) {
        const int at = tid / 32 * 32 * ITEMS + tid % 32 + i * 32;
        if (at < valid) items[i] = from[at];
    }
}
template <typename T, typename D, int ITEMS, typename It>
__device__ void LoadDirectWarpStriped(int tid, It from, T (&items)[ITEMS], int valid, D other) {
    for (int i = 0; i < ITEMS; i++) {
        const int at = tid / 32 * 32 * ITEMS + tid % 32 + i * 32;
        items[i] = at < valid ? static_cast<T>(from[at]) : static_cast<T>(other);
    }
}

namespace detail {
/* How each algorithm reads and writes memory; those that transpose then exchange items through storage that others may use
   only behind a barrier. */
struct direct_transfer {};
struct striped_transfer {};
struct transposed_transfer {};
struct warp_transposed_transfer {};
template <int ALGORITHM> struct transfer {
    typedef direct_transfer type;
};
template <> struct transfer<BLOCK_LOAD_STRIPED> {
    typedef striped_transfer type;
};
template <> struct transfer<BLOCK_LOAD_TRANSPOSE> {
    typedef transposed_transfer type;
};
template <> struct transfer<BLOCK_LOAD_WARP_TRANSPOSE> {
    typedef warp_transposed_transfer type;
};
template <> struct transfer<BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED> {
    typedef warp_transposed_transfer type;
};
struct no_storage {};
template <typename Transfer, typename Exchange> struct transfer_storage {
    static constexpr bool EXCHANGES = std::is_same<Transfer, transposed_transfer>::value || std::is_same<Transfer, warp_transposed_transfer>::value;
    typedef typename std::conditional<EXCHANGES, typename Exchange::TempStorage, no_storage>::type type;
};
}

template <typename T, int BLOCK_DIM_X, int ITEMS, BlockLoadAlgorithm ALGORITHM = BLOCK_LOAD_DIRECT, int BLOCK_DIM_Y = 1,
          int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockLoad {
    enum { THREADS = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z };
    typedef typename detail::transfer<ALGORITHM>::type Transfer;
    typedef BlockExchange<T, BLOCK_DIM_X, ITEMS, false, BLOCK_DIM_Y, BLOCK_DIM_Z> Exchange;
    typedef typename detail::transfer_storage<Transfer, Exchange>::type Storage;
    Storage& storage;
    int tid;
    __device__ static Storage& own() {
        __shared__ Storage shared;
        return shared;
    }
    template <typename It, typename... Guard> __device__ void load(It from, T (&items)[ITEMS], Guard... guard) {
        if constexpr (std::is_same<Transfer, detail::striped_transfer>::value) {
            LoadDirectStriped<THREADS>(tid, from, items, guard...);
        } else if constexpr (std::is_same<Transfer, detail::transposed_transfer>::value) {
            LoadDirectStriped<THREADS>(tid, from, items, guard...);
            Exchange(storage).StripedToBlocked(items);
        } else if constexpr (std::is_same<Transfer, detail::warp_transposed_transfer>::value) {
            LoadDirectWarpStriped(tid, from, items, guard...);
            Exchange(storage).WarpStripedToBlocked(items);
        } else {
            LoadDirectBlocked(tid, from, items, guard...);
        }
    }

public:
    typedef Storage TempStorage;
    __device__ BlockLoad() : storage(own()), tid(RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z)) {}
    __device__ BlockLoad(TempStorage& temp) : storage(temp), tid(RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z)) {}
    template <typename It> __device__ void Load(It from, T (&items)[ITEMS]) { load(from, items); }
    template <typename It> __device__ void Load(It from, T (&items)[ITEMS], int valid) { load(from, items, valid); }
    template <typename It, typename D> __device__ void Load(It from, T (&items)[ITEMS], int valid, D other) { load(from, items, valid, other); }
};
template <typename T, int ITEMS, WarpLoadAlgorithm ALGORITHM = WARP_LOAD_DIRECT, int LOGICAL_WARP_THREADS = 32, int LEGACY_PTX_ARCH = 0>
class WarpLoad {
    int lane;

public:
    struct TempStorage {};
    __device__ WarpLoad() : lane(LaneId() % LOGICAL_WARP_THREADS) {}
    __device__ WarpLoad(TempStorage&) : WarpLoad() {}
    template <typename It> __device__ void Load(It from, T (&items)[ITEMS]) {
        if constexpr (ALGORITHM == WARP_LOAD_STRIPED) LoadDirectStriped<LOGICAL_WARP_THREADS>(lane, from, items);
        else LoadDirectBlocked(lane, from, items);
    }
    template <typename It> __device__ void Load(It from, T (&items)[ITEMS], int valid) {
        if constexpr (ALGORITHM == WARP_LOAD_STRIPED) LoadDirectStriped<LOGICAL_WARP_THREADS>(lane, from, items, valid);
        else LoadDirectBlocked(lane, from, items, valid);
    }
    template <typename It, typename D> __device__ void Load(It from, T (&items)[ITEMS], int valid, D other) {
        if constexpr (ALGORITHM == WARP_LOAD_STRIPED) LoadDirectStriped<LOGICAL_WARP_THREADS>(lane, from, items, valid, other);
        else LoadDirectBlocked(lane, from, items, valid, other);
    }
};

}

#endif
