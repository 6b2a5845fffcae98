/* Sorts of a block, or of a warp, by a comparison: each item finds its place by counting those before it. */
#ifndef CUDAIR_CUB_BLOCK_MERGE_SORT_H
#define CUDAIR_CUB_BLOCK_MERGE_SORT_H

#include <cub/detail/block_shape.cuh>

namespace cub {

namespace detail {

/* Of items in shared memory, which lie there from the last to the first, how many belong before the one at `at`. */
template <typename K, typename Less> __device__ int rank_among(const K* last, int n, int at, Less less) {
    const K own = last[-at];
    int rank = 0;
    for (int i = 0; i < n; i++) rank += i < at ? !less(own, last[-i]) : i > at && less(last[-i], own);
    return rank;
}

/* A stable sort of `THREADS * ITEMS` items, of which each thread has some that follow each other. They go into the storage
   backwards, so that no thread writes first what it read last: who uses the storage again without a barrier has a race. */
template <typename K, int THREADS, int ITEMS, typename V, typename Barrier> struct counting_sort {
    static constexpr bool PAIRS = !std::is_same<V, NullType>::value;
    struct Storage {
        K keys[THREADS * ITEMS];
        V values[PAIRS ? THREADS * ITEMS : 1];
    };
    /* Without an own place for those that are not valid: they keep theirs, at the end. */
    template <bool STRIPED, typename Less>
    __device__ static void run(Storage& s, int tid, K (&keys)[ITEMS], V (&values)[ITEMS], Less less, int valid, Barrier barrier) {
        K* const last = s.keys + (THREADS * ITEMS - 1);
        for (int i = 0; i < ITEMS; i++) last[-(tid * ITEMS + i)] = keys[i];
        barrier();
        int ranks[ITEMS];
        for (int i = 0; i < ITEMS; i++) {
            const int at = tid * ITEMS + i;
            ranks[i] = at < valid ? rank_among(last, valid, at, less) : at;
        }
        barrier();
        for (int i = 0; i < ITEMS; i++) {
            s.keys[ranks[i]] = keys[i];
            if constexpr (PAIRS) s.values[ranks[i]] = values[i];
        }
        barrier();
        for (int i = 0; i < ITEMS; i++) {
            const int at = STRIPED ? tid + i * THREADS : tid * ITEMS + i;
            keys[i] = s.keys[at];
            if constexpr (PAIRS) values[i] = s.values[at];
        }
    }
};
struct block_barrier {
    __device__ void operator()() const { __syncthreads(); }
};
struct warp_barrier {
    unsigned mask;
    __device__ void operator()() const { __syncwarp(mask); }
};

}

template <typename K, int BLOCK_DIM_X, int ITEMS, typename V = NullType, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1> class BlockMergeSort {
    enum { THREADS = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z };
    typedef detail::counting_sort<K, THREADS, ITEMS, V, detail::block_barrier> Algorithm;
    typename Algorithm::Storage& storage;
    int tid;
    __device__ static typename Algorithm::Storage& own() {
        __shared__ typename Algorithm::Storage shared;
        return shared;
    }

public:
    typedef typename Algorithm::Storage TempStorage;
    __device__ BlockMergeSort() : storage(own()), tid(RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z)) {}
    __device__ explicit BlockMergeSort(TempStorage& temp) : storage(temp), tid(RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z)) {}
    template <typename Less> __device__ void Sort(K (&keys)[ITEMS], Less less) {
        V none[ITEMS];
        Algorithm::template run<false>(storage, tid, keys, none, less, THREADS * ITEMS, detail::block_barrier());
    }
    /* Those past the valid ones take the default, which belongs after all others. */
    template <typename Less> __device__ void Sort(K (&keys)[ITEMS], Less less, int valid, K oob_default) {
        for (int i = 0; i < ITEMS; i++)
            if (tid * ITEMS + i >= valid) keys[i] = oob_default;
        Sort(keys, less);
    }
    template <typename Less> __device__ void Sort(K (&keys)[ITEMS], V (&values)[ITEMS], Less less) {
        Algorithm::template run<false>(storage, tid, keys, values, less, THREADS * ITEMS, detail::block_barrier());
    }
    template <typename Less> __device__ void Sort(K (&keys)[ITEMS], V (&values)[ITEMS], Less less, int valid, K oob_default) {
        for (int i = 0; i < ITEMS; i++)
            if (tid * ITEMS + i >= valid) keys[i] = oob_default;
        Algorithm::template run<false>(storage, tid, keys, values, less, valid, detail::block_barrier());
    }
    template <typename... A> __device__ void StableSort(A&&... a) { Sort(std::forward<A>(a)...); }
};
template <typename K, int ITEMS, int LOGICAL_WARP_THREADS = 32, typename V = NullType> class WarpMergeSort {
    typedef detail::counting_sort<K, LOGICAL_WARP_THREADS, ITEMS, V, detail::warp_barrier> Algorithm;
    typename Algorithm::Storage& storage;
    int lane;
    detail::warp_barrier barrier;

public:
    typedef typename Algorithm::Storage TempStorage;
    __device__ explicit WarpMergeSort(TempStorage& temp)
        : storage(temp), lane(LaneId() % LOGICAL_WARP_THREADS), barrier{detail::members(LOGICAL_WARP_THREADS, LaneId() - lane)} {}
    template <typename Less> __device__ void Sort(K (&keys)[ITEMS], Less less) {
        V none[ITEMS];
        Algorithm::template run<false>(storage, lane, keys, none, less, LOGICAL_WARP_THREADS * ITEMS, barrier);
    }
    template <typename Less> __device__ void Sort(K (&keys)[ITEMS], Less less, int valid, K oob_default) {
        for (int i = 0; i < ITEMS; i++)
            if (lane * ITEMS + i >= valid) keys[i] = oob_default;
        Sort(keys, less);
    }
    template <typename Less> __device__ void Sort(K (&keys)[ITEMS], V (&values)[ITEMS], Less less) {
        Algorithm::template run<false>(storage, lane, keys, values, less, LOGICAL_WARP_THREADS * ITEMS, barrier);
    }
    template <typename Less> __device__ void Sort(K (&keys)[ITEMS], V (&values)[ITEMS], Less less, int valid, K oob_default) {
        for (int i = 0; i < ITEMS; i++)
            if (lane * ITEMS + i >= valid) keys[i] = oob_default;
        Algorithm::template run<false>(storage, lane, keys, values, less, valid, barrier);
    }
    template <typename... A> __device__ void StableSort(A&&... a) { Sort(std::forward<A>(a)...); }
    __device__ unsigned get_member_mask() const { return barrier.mask; }
};

}

#endif
