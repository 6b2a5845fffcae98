/* Sorts of the device by a comparison. All are stable. */
#ifndef CUDAIR_CUB_DEVICE_MERGE_SORT_H
#define CUDAIR_CUB_DEVICE_MERGE_SORT_H

#include <cub/detail/device.cuh>
#include <thrust/detail/sorting.h>

namespace cub {

namespace detail {
template <typename K, typename V, typename Keys, typename Values, typename KeysOut, typename ValuesOut, typename Less>
cudaError_t merge_sort(void* temp, size_t& bytes, long long n, Keys keys, Values values, KeysOut keys_out, ValuesOut values_out, Less less,
                       cudaStream_t stream) {
    constexpr bool PAIRS = !std::is_same<V, thrust::detail::nothing>::value;
    scratch memory(temp, bytes);
    K* const ka = memory.take<K>(n);
    K* const kb = memory.take<K>(n);
    V* const va = memory.take<V>(PAIRS ? n : 0);
    V* const vb = memory.take<V>(PAIRS ? n : 0);
    cudaError_t error;
    if (memory.ends(bytes, error)) return error;
    if (n > 0)
        thrust::detail::merge_sort_kernel<K, V>
            <<<1, int(thrust::detail::THREADS), 0, stream>>>(n, keys, values, keys_out, values_out, ka, kb, va, vb, less);
    return cudaPeekAtLastError();
}
}

struct DeviceMergeSort {
    template <typename Keys, typename N, typename Less>
    static cudaError_t SortKeys(void* temp, size_t& bytes, Keys keys, N n, Less less, cudaStream_t stream = 0) {
        return SortKeysCopy(temp, bytes, keys, keys, n, less, stream);
    }
    template <typename Keys, typename Out, typename N, typename Less>
    static cudaError_t SortKeysCopy(void* temp, size_t& bytes, Keys in, Out out, N n, Less less, cudaStream_t stream = 0) {
        const thrust::detail::nothing none{};
        return detail::merge_sort<detail::Value<Keys>, thrust::detail::nothing>(temp, bytes, n, in, none, out, none, less, stream);
    }
    template <typename Keys, typename Items, typename N, typename Less>
    static cudaError_t SortPairs(void* temp, size_t& bytes, Keys keys, Items items, N n, Less less, cudaStream_t stream = 0) {
        return SortPairsCopy(temp, bytes, keys, items, keys, items, n, less, stream);
    }
    template <typename Keys, typename Items, typename KeysOut, typename ItemsOut, typename N, typename Less>
    static cudaError_t SortPairsCopy(void* temp, size_t& bytes, Keys keys, Items items, KeysOut keys_out, ItemsOut items_out, N n, Less less,
                                     cudaStream_t stream = 0) {
        return detail::merge_sort<detail::Value<Keys>, detail::Value<Items>>(temp, bytes, n, keys, items, keys_out, items_out, less, stream);
    }
    template <typename... A> static cudaError_t StableSortKeys(void* temp, size_t& bytes, A... a) { return SortKeys(temp, bytes, a...); }
    template <typename... A> static cudaError_t StableSortKeysCopy(void* temp, size_t& bytes, A... a) { return SortKeysCopy(temp, bytes, a...); }
    template <typename... A> static cudaError_t StableSortPairs(void* temp, size_t& bytes, A... a) { return SortPairs(temp, bytes, a...); }
    template <typename... A> static cudaError_t StableSortPairsCopy(void* temp, size_t& bytes, A... a) { return SortPairsCopy(temp, bytes, a...); }
};

}

#endif
