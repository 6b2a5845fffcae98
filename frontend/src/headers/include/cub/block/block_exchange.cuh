/* Exchanges of items between the threads of a block, or of a warp, through shared memory. */
#ifndef CUDAIR_CUB_BLOCK_EXCHANGE_H
#define CUDAIR_CUB_BLOCK_EXCHANGE_H

#include <cub/detail/block_shape.cuh>

namespace cub {

namespace detail {
/* Where item `i` of thread `tid` belongs in each arrangement. */
struct blocked_place {
    int items;
    __device__ int operator()(int tid, int i) const { return tid * items + i; }
};
struct striped_place {
    int threads;
    __device__ int operator()(int tid, int i) const { return tid + i * threads; }
};
struct warp_striped_place {
    int items;
    __device__ int operator()(int tid, int i) const { return tid / 32 * 32 * items + tid % 32 + i * 32; }
};
}

template <typename T, int BLOCK_DIM_X, int ITEMS, bool WARP_TIME_SLICING = false, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockExchange {
    enum { THREADS = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z };
    struct Storage {
        T items[THREADS * ITEMS];
    };
    Storage& storage;
    int tid;
    __device__ static Storage& own() {
        __shared__ Storage shared;
        return shared;
    }
    template <typename U, typename From, typename To> __device__ void move(const T (&in)[ITEMS], U (&out)[ITEMS], From from, To to) {
        for (int i = 0; i < ITEMS; i++) storage.items[from(tid, i)] = in[i];
        __syncthreads();
        for (int i = 0; i < ITEMS; i++) out[i] = storage.items[to(tid, i)];
    }

public:
    typedef Storage TempStorage;
    __device__ BlockExchange() : storage(own()), tid(RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z)) {}
    __device__ BlockExchange(TempStorage& temp) : storage(temp), tid(RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z)) {}

#define __CUDAIR_EXCHANGE(name, from, to)                                                                               \
    template <typename U> __device__ void name(const T (&in)[ITEMS], U (&out)[ITEMS]) { move(in, out, from, to); }      \
    __device__ void name(T (&items)[ITEMS]) { move(items, items, from, to); }
    __CUDAIR_EXCHANGE(StripedToBlocked, detail::striped_place{THREADS}, detail::blocked_place{ITEMS})
    __CUDAIR_EXCHANGE(BlockedToStriped, detail::blocked_place{ITEMS}, detail::striped_place{THREADS})
    __CUDAIR_EXCHANGE(WarpStripedToBlocked, detail::warp_striped_place{ITEMS}, detail::blocked_place{ITEMS})
    __CUDAIR_EXCHANGE(BlockedToWarpStriped, detail::blocked_place{ITEMS}, detail::warp_striped_place{ITEMS})
#undef __CUDAIR_EXCHANGE
    /* By ranks that the caller gives. */
    template <typename U, typename Offset> __device__ void ScatterToBlocked(const T (&in)[ITEMS], U (&out)[ITEMS], Offset (&ranks)[ITEMS]) {
        move(in, out, [&](int, int i) { return int(ranks[i]); }, detail::blocked_place{ITEMS});
    }
    template <typename U, typename Offset> __device__ void ScatterToStriped(const T (&in)[ITEMS], U (&out)[ITEMS], Offset (&ranks)[ITEMS]) {
        move(in, out, [&](int, int i) { return int(ranks[i]); }, detail::striped_place{THREADS});
    }
    template <typename Offset> __device__ void ScatterToBlocked(T (&items)[ITEMS], Offset (&ranks)[ITEMS]) { ScatterToBlocked(items, items, ranks); }
    template <typename Offset> __device__ void ScatterToStriped(T (&items)[ITEMS], Offset (&ranks)[ITEMS]) { ScatterToStriped(items, items, ranks); }
    template <typename U, typename Offset> __device__ void ScatterToStripedGuarded(const T (&in)[ITEMS], U (&out)[ITEMS], Offset (&ranks)[ITEMS]) {
        for (int i = 0; i < ITEMS; i++)
            if (ranks[i] >= 0) storage.items[ranks[i]] = in[i];
        __syncthreads();
        for (int i = 0; i < ITEMS; i++) out[i] = storage.items[tid + i * THREADS];
    }
    template <typename Offset> __device__ void ScatterToStripedGuarded(T (&items)[ITEMS], Offset (&ranks)[ITEMS]) {
        ScatterToStripedGuarded(items, items, ranks);
    }
    template <typename U, typename Offset, typename Valid>
    __device__ void ScatterToStripedFlagged(const T (&in)[ITEMS], U (&out)[ITEMS], Offset (&ranks)[ITEMS], Valid (&valid)[ITEMS]) {
        for (int i = 0; i < ITEMS; i++)
            if (valid[i]) storage.items[ranks[i]] = in[i];
        __syncthreads();
        for (int i = 0; i < ITEMS; i++) out[i] = storage.items[tid + i * THREADS];
    }
    template <typename Offset, typename Valid> __device__ void ScatterToStripedFlagged(T (&items)[ITEMS], Offset (&ranks)[ITEMS], Valid (&valid)[ITEMS]) {
        ScatterToStripedFlagged(items, items, ranks, valid);
    }
};

enum WarpExchangeAlgorithm { WARP_EXCHANGE_SMEM, WARP_EXCHANGE_SHUFFLE };

template <typename T, int ITEMS, int LOGICAL_WARP_THREADS = 32, WarpExchangeAlgorithm ALGORITHM = WARP_EXCHANGE_SMEM>
class WarpExchange {
    struct Storage {
        T items[LOGICAL_WARP_THREADS * ITEMS];
    };
    Storage& storage;
    int lane;
    unsigned mask;
    template <typename U, typename From, typename To> __device__ void move(const T (&in)[ITEMS], U (&out)[ITEMS], From from, To to) {
        for (int i = 0; i < ITEMS; i++) storage.items[from(lane, i)] = in[i];
        __syncwarp(mask);
        for (int i = 0; i < ITEMS; i++) out[i] = storage.items[to(lane, i)];
    }

public:
    typedef Storage TempStorage;
    __device__ explicit WarpExchange(TempStorage& temp)
        : storage(temp), lane(LaneId() % LOGICAL_WARP_THREADS), mask(detail::members(LOGICAL_WARP_THREADS, LaneId() - lane)) {}
    template <typename U> __device__ void BlockedToStriped(const T (&in)[ITEMS], U (&out)[ITEMS]) {
        move(in, out, detail::blocked_place{ITEMS}, detail::striped_place{LOGICAL_WARP_THREADS});
    }
    template <typename U> __device__ void StripedToBlocked(const T (&in)[ITEMS], U (&out)[ITEMS]) {
        move(in, out, detail::striped_place{LOGICAL_WARP_THREADS}, detail::blocked_place{ITEMS});
    }
    template <typename Offset> __device__ void ScatterToStriped(T (&items)[ITEMS], Offset (&ranks)[ITEMS]) { ScatterToStriped(items, items, ranks); }
    template <typename U, typename Offset> __device__ void ScatterToStriped(const T (&in)[ITEMS], U (&out)[ITEMS], Offset (&ranks)[ITEMS]) {
        move(in, out, [&](int, int i) { return int(ranks[i]); }, detail::striped_place{LOGICAL_WARP_THREADS});
    }
};

}

#endif
