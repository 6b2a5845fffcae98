/* Sorts of the device by the bits of numbers, of whole ranges and of segments. */
#ifndef CUDAIR_CUB_DEVICE_RADIX_SORT_H
#define CUDAIR_CUB_DEVICE_RADIX_SORT_H

#include <cub/detail/device.cuh>
#include <thrust/detail/sorting.h>

namespace cub {

namespace detail {

using thrust::detail::nothing;

/* Memory for keys and values, twice. */
template <bool DESCENDING, typename K, typename V>
cudaError_t radix_sort(void* temp, size_t& bytes, long long n, const K* keys_in, K* keys_out, const V* values_in, V* values_out, int from, int to,
                       cudaStream_t stream) {
    constexpr bool PAIRS = !std::is_same<V, nothing>::value;
    scratch memory(temp, bytes);
    K* const ka = memory.take<K>(n);
    K* const kb = memory.take<K>(n);
    V* const va = memory.take<V>(PAIRS ? n : 0);
    V* const vb = memory.take<V>(PAIRS ? n : 0);
    cudaError_t error;
    if (memory.ends(bytes, error)) return error;
    if (n > 0)
        thrust::detail::radix_kernel<DESCENDING, K, V>
            <<<1, int(thrust::detail::THREADS), 0, stream>>>(n, keys_in, values_in, keys_out, values_out, ka, kb, va, vb, from, to);
    return cudaPeekAtLastError();
}
template <bool DESCENDING, typename K, typename V, typename Begin, typename End>
__global__ void segmented_radix_kernel(const K* keys_in, K* keys_out, const V* values_in, V* values_out, Begin begin, End end, K* ka, K* kb, V* va,
                                       V* vb, int from, int to) {
    constexpr bool PAIRS = !std::is_same<V, nothing>::value;
    const long long first = begin[blockIdx.x], n = end[blockIdx.x] - first;
    if (n <= 0) return;
    const long long of_values = PAIRS ? first : 0;
    thrust::detail::radix_sort<DESCENDING, K, V>(n, keys_in + first, values_in + of_values, keys_out + first, values_out + of_values, ka + first,
                                                 kb + first, va + of_values, vb + of_values, from, to);
}
template <bool DESCENDING, typename K, typename V, typename Begin, typename End>
cudaError_t segmented_radix_sort(void* temp, size_t& bytes, long long n, long long segments, const K* keys_in, K* keys_out, const V* values_in,
                                 V* values_out, Begin begin, End end, int from, int to, cudaStream_t stream) {
    constexpr bool PAIRS = !std::is_same<V, nothing>::value;
    scratch memory(temp, bytes);
    K* const ka = memory.take<K>(n);
    K* const kb = memory.take<K>(n);
    V* const va = memory.take<V>(PAIRS ? n : 0);
    V* const vb = memory.take<V>(PAIRS ? n : 0);
    cudaError_t error;
    if (memory.ends(bytes, error)) return error;
    if (n > 0 && segments > 0)
        segmented_radix_kernel<DESCENDING, K, V><<<unsigned(segments), int(thrust::detail::THREADS), 0, stream>>>(
            keys_in, keys_out, values_in, values_out, begin, end, ka, kb, va, vb, from, to);
    return cudaPeekAtLastError();
}

}

struct DeviceRadixSort {
#define __CUDAIR_SORT(suffix, descending)                                                                               \
    template <typename K, typename V, typename N, typename = detail::if_number<N>>                                      \
    static cudaError_t SortPairs##suffix(void* temp, size_t& bytes, const K* keys_in, K* keys_out, const V* values_in,  \
                                         V* values_out, N n, int begin = 0, int end = sizeof(K) * 8,                    \
                                         cudaStream_t stream = 0) {                                                     \
        return detail::radix_sort<descending, K, V>(temp, bytes, n, keys_in, keys_out, values_in, values_out, begin,    \
                                                    end, stream);                                                       \
    }                                                                                                                   \
    template <typename K, typename V, typename N, typename = detail::if_number<N>>                                      \
    static cudaError_t SortPairs##suffix(void* temp, size_t& bytes, DoubleBuffer<K>& keys, DoubleBuffer<V>& values,     \
                                         N n, int begin = 0, int end = sizeof(K) * 8, cudaStream_t stream = 0) {        \
        const cudaError_t error = detail::radix_sort<descending, K, V>(                                                 \
            temp, bytes, n, keys.Current(), keys.Alternate(), values.Current(), values.Alternate(), begin, end, stream); \
        if (temp != nullptr && error == cudaSuccess) {                                                                  \
            keys.selector ^= 1;                                                                                         \
            values.selector ^= 1;                                                                                       \
        }                                                                                                               \
        return error;                                                                                                   \
    }                                                                                                                   \
    template <typename K, typename N, typename = detail::if_number<N>>                                                  \
    static cudaError_t SortKeys##suffix(void* temp, size_t& bytes, const K* keys_in, K* keys_out, N n, int begin = 0,   \
                                        int end = sizeof(K) * 8, cudaStream_t stream = 0) {                             \
        typedef detail::nothing None;                                                                                   \
        return detail::radix_sort<descending, K, None>(temp, bytes, n, keys_in, keys_out, nullptr, nullptr, begin, end, \
                                                       stream);                                                         \
    }                                                                                                                   \
    template <typename K, typename N, typename = detail::if_number<N>>                                                  \
    static cudaError_t SortKeys##suffix(void* temp, size_t& bytes, DoubleBuffer<K>& keys, N n, int begin = 0,           \
                                        int end = sizeof(K) * 8, cudaStream_t stream = 0) {                             \
        typedef detail::nothing None;                                                                                   \
        const cudaError_t error = detail::radix_sort<descending, K, None>(temp, bytes, n, keys.Current(),               \
                                                                          keys.Alternate(), nullptr, nullptr, begin,    \
                                                                          end, stream);                                 \
        if (temp != nullptr && error == cudaSuccess) keys.selector ^= 1;                                                \
        return error;                                                                                                   \
    }
    __CUDAIR_SORT(, false)
    __CUDAIR_SORT(Descending, true)
#undef __CUDAIR_SORT
};

struct DeviceSegmentedRadixSort {
#define __CUDAIR_SORT(suffix, descending)                                                                               \
    template <typename K, typename V, typename Begin, typename End>                                                     \
    static cudaError_t SortPairs##suffix(void* temp, size_t& bytes, const K* keys_in, K* keys_out, const V* values_in,  \
                                         V* values_out, long long n, long long segments, Begin begins, End ends,        \
                                         int begin = 0, int end = sizeof(K) * 8, cudaStream_t stream = 0) {             \
        return detail::segmented_radix_sort<descending, K, V>(temp, bytes, n, segments, keys_in, keys_out, values_in,   \
                                                              values_out, begins, ends, begin, end, stream);            \
    }                                                                                                                   \
    template <typename K, typename V, typename Begin, typename End>                                                     \
    static cudaError_t SortPairs##suffix(void* temp, size_t& bytes, DoubleBuffer<K>& keys, DoubleBuffer<V>& values,     \
                                         long long n, long long segments, Begin begins, End ends, int begin = 0,        \
                                         int end = sizeof(K) * 8, cudaStream_t stream = 0) {                            \
        const cudaError_t error = detail::segmented_radix_sort<descending, K, V>(                                       \
            temp, bytes, n, segments, keys.Current(), keys.Alternate(), values.Current(), values.Alternate(), begins,   \
            ends, begin, end, stream);                                                                                  \
        if (temp != nullptr && error == cudaSuccess) {                                                                  \
            keys.selector ^= 1;                                                                                         \
            values.selector ^= 1;                                                                                       \
        }                                                                                                               \
        return error;                                                                                                   \
    }                                                                                                                   \
    template <typename K, typename Begin, typename End>                                                                 \
    static cudaError_t SortKeys##suffix(void* temp, size_t& bytes, const K* keys_in, K* keys_out, long long n,          \
                                        long long segments, Begin begins, End ends, int begin = 0,                      \
                                        int end = sizeof(K) * 8, cudaStream_t stream = 0) {                             \
        typedef detail::nothing None;                                                                                   \
        return detail::segmented_radix_sort<descending, K, None>(temp, bytes, n, segments, keys_in, keys_out, nullptr,  \
                                                                 nullptr, begins, ends, begin, end, stream);            \
    }                                                                                                                   \
    template <typename K, typename Begin, typename End>                                                                 \
    static cudaError_t SortKeys##suffix(void* temp, size_t& bytes, DoubleBuffer<K>& keys, long long n,                  \
                                        long long segments, Begin begins, End ends, int begin = 0,                      \
                                        int end = sizeof(K) * 8, cudaStream_t stream = 0) {                             \
        typedef detail::nothing None;                                                                                   \
        const cudaError_t error = detail::segmented_radix_sort<descending, K, None>(                                    \
            temp, bytes, n, segments, keys.Current(), keys.Alternate(), nullptr, nullptr, begins, ends, begin, end,     \
            stream);                                                                                                    \
        if (temp != nullptr && error == cudaSuccess) keys.selector ^= 1;                                                \
        return error;                                                                                                   \
    }
    __CUDAIR_SORT(, false)
    __CUDAIR_SORT(Descending, true)
#undef __CUDAIR_SORT
};

/* The same without bits. All are stable. */
struct DeviceSegmentedSort {
#define __CUDAIR_SORT(KeysName, PairsName, Keys, Pairs)                                                                 \
    template <typename K, typename Begin, typename End>                                                                 \
    static cudaError_t KeysName(void* temp, size_t& bytes, const K* in, K* out, long long n, long long segments,      \
                                  Begin begins, End ends, cudaStream_t stream = 0) {                                    \
        return DeviceSegmentedRadixSort::Keys(temp, bytes, in, out, n, segments, begins, ends, 0, sizeof(K) * 8,        \
                                              stream);                                                                  \
    }                                                                                                                   \
    template <typename K, typename Begin, typename End>                                                                 \
    static cudaError_t KeysName(void* temp, size_t& bytes, DoubleBuffer<K>& keys, long long n, long long segments,    \
                                  Begin begins, End ends, cudaStream_t stream = 0) {                                    \
        return DeviceSegmentedRadixSort::Keys(temp, bytes, keys, n, segments, begins, ends, 0, sizeof(K) * 8, stream);  \
    }                                                                                                                   \
    template <typename K, typename V, typename Begin, typename End>                                                     \
    static cudaError_t PairsName(void* temp, size_t& bytes, const K* in, K* out, const V* values_in, V* values_out,   \
                                   long long n, long long segments, Begin begins, End ends, cudaStream_t stream = 0) {  \
        return DeviceSegmentedRadixSort::Pairs(temp, bytes, in, out, values_in, values_out, n, segments, begins, ends,  \
                                               0, sizeof(K) * 8, stream);                                               \
    }                                                                                                                   \
    template <typename K, typename V, typename Begin, typename End>                                                     \
    static cudaError_t PairsName(void* temp, size_t& bytes, DoubleBuffer<K>& keys, DoubleBuffer<V>& values,           \
                                   long long n, long long segments, Begin begins, End ends, cudaStream_t stream = 0) {  \
        return DeviceSegmentedRadixSort::Pairs(temp, bytes, keys, values, n, segments, begins, ends, 0, sizeof(K) * 8,  \
                                               stream);                                                                 \
    }
    __CUDAIR_SORT(SortKeys, SortPairs, SortKeys, SortPairs)
    __CUDAIR_SORT(StableSortKeys, StableSortPairs, SortKeys, SortPairs)
    __CUDAIR_SORT(SortKeysDescending, SortPairsDescending, SortKeysDescending, SortPairsDescending)
    __CUDAIR_SORT(StableSortKeysDescending, StableSortPairsDescending, SortKeysDescending, SortPairsDescending)
#undef __CUDAIR_SORT
};

}

#endif
