/* Sorts of a block by the bits of numbers. */
#ifndef CUDAIR_CUB_BLOCK_RADIX_SORT_H
#define CUDAIR_CUB_BLOCK_RADIX_SORT_H

#include <cub/block/block_merge_sort.cuh>
#include <cub/block/block_scan.cuh>

namespace cub {

namespace detail {

/* The bits of a number in the order of numbers. */
template <typename K> __device__ unsigned long long ordered_bits(K key) {
    typedef typename bits_of<sizeof(K)>::type Word;
    constexpr Word TOP = Word(Word(1) << (8 * sizeof(K) - 1));
    if constexpr (std::is_integral<K>::value) {
        return std::is_signed<K>::value ? Word(Word(key) ^ TOP) : Word(key);
    } else {
        Word word;
        if constexpr (sizeof(K) == 8) word = Word(__double_as_longlong(key));
        else if constexpr (sizeof(K) == 4) word = __float_as_uint(key);
        else __builtin_memcpy(&word, &key, sizeof word);
        if (word == TOP) word = 0; /* -0 is as 0 */
        return word & TOP ? Word(~word) : Word(word | TOP);
    }
}
template <bool DESCENDING> struct by_bits {
    int from;
    unsigned long long mask;
    __device__ by_bits(int begin, int end) : from(begin), mask(end - begin >= 64 ? ~0ull : (1ull << (end - begin)) - 1) {}
    template <typename K> __device__ bool operator()(const K& a, const K& b) const {
        const unsigned long long x = ordered_bits(a) >> from & mask, y = ordered_bits(b) >> from & mask;
        return DESCENDING ? y < x : x < y;
    }
};

}

template <typename K, int BLOCK_DIM_X, int ITEMS, typename V = NullType, int RADIX_BITS = 4, bool MEMOIZE_OUTER_SCAN = true,
          BlockScanAlgorithm INNER_SCAN_ALGORITHM = BLOCK_SCAN_WARP_SCANS, cudaSharedMemConfig SMEM_CONFIG = cudaSharedMemBankSizeFourByte,
          int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockRadixSort {
    enum { THREADS = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z };
    typedef detail::counting_sort<K, THREADS, ITEMS, V, detail::block_barrier> Algorithm;
    typename Algorithm::Storage& storage;
    int tid;
    __device__ static typename Algorithm::Storage& own() {
        __shared__ typename Algorithm::Storage shared;
        return shared;
    }
    template <bool DESCENDING, bool STRIPED> __device__ void sort(K (&keys)[ITEMS], V (&values)[ITEMS], int begin, int end) {
        Algorithm::template run<STRIPED>(storage, tid, keys, values, detail::by_bits<DESCENDING>(begin, end), THREADS * ITEMS, detail::block_barrier());
    }

public:
    typedef typename Algorithm::Storage TempStorage;
    __device__ BlockRadixSort() : storage(own()), tid(RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z)) {}
    __device__ BlockRadixSort(TempStorage& temp) : storage(temp), tid(RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z)) {}
#define __CUDAIR_SORT(name, descending, striped)                                                                        \
    __device__ void name(K (&keys)[ITEMS], int begin = 0, int end = sizeof(K) * 8) {                                    \
        V none[ITEMS];                                                                                                  \
        static_assert(std::is_same<V, NullType>::value, "a sort of keys alone, though it has values");                  \
        sort<descending, striped>(keys, none, begin, end);                                                              \
    }                                                                                                                   \
    __device__ void name(K (&keys)[ITEMS], V (&values)[ITEMS], int begin = 0, int end = sizeof(K) * 8) {                \
        sort<descending, striped>(keys, values, begin, end);                                                            \
    }
    __CUDAIR_SORT(Sort, false, false)
    __CUDAIR_SORT(SortDescending, true, false)
    __CUDAIR_SORT(SortBlockedToStriped, false, true)
    __CUDAIR_SORT(SortDescendingBlockedToStriped, true, true)
#undef __CUDAIR_SORT
};

}

#endif
