/* Scans of the device. */
#ifndef CUDAIR_CUB_DEVICE_SCAN_H
#define CUDAIR_CUB_DEVICE_SCAN_H

#include <cub/detail/device.cuh>
#include <cub/iterator/iterators.cuh>

namespace cub {

namespace detail {
template <bool INCLUSIVE, typename T, typename In, typename Out, typename Op>
cudaError_t scan(void* temp, size_t& bytes, long long n, In in, Out out, Op op, T initial, bool has_initial, cudaStream_t stream) {
    scratch memory(temp, bytes);
    cudaError_t error;
    if (memory.ends(bytes, error, n, stream)) return error;
    if (n > 0)
        thrust::detail::scan_kernel<INCLUSIVE, T>
            <<<1, thrust::detail::team<T>::size, 0, stream>>>(n, load_from<T, In>{in}, out, op, initial, has_initial);
    return cudaPeekAtLastError();
}
template <bool INCLUSIVE, typename T, typename Keys, typename In, typename Out, typename Op, typename Equal>
cudaError_t scan_by_key(void* temp, size_t& bytes, long long n, Keys keys, In in, Out out, Op op, T initial, Equal equal, cudaStream_t stream) {
    scratch memory(temp, bytes);
    cudaError_t error;
    if (memory.ends(bytes, error, n, stream)) return error;
    if (n > 0)
        thrust::detail::scan_by_key_kernel<INCLUSIVE, T>
            <<<1, thrust::detail::team<T>::size, 0, stream>>>(n, keys, load_from<T, In>{in}, out, equal, op, initial);
    return cudaPeekAtLastError();
}
}

struct DeviceScan {
    template <typename In, typename Out, typename Op, typename T, typename N, typename = detail::if_number<N>>
    static cudaError_t ExclusiveScan(void* temp, size_t& bytes, In in, Out out, Op op, T initial, N n, cudaStream_t stream = 0) {
        typedef detail::Accumulator<Op, T, detail::Value<In>> A;
        return detail::scan<false, A>(temp, bytes, n, in, out, op, static_cast<A>(initial), true, stream);
    }
    template <typename It, typename Op, typename T, typename N, typename = detail::if_number<N>>
    static cudaError_t ExclusiveScan(void* temp, size_t& bytes, It data, Op op, T initial, N n, cudaStream_t stream = 0) {
        return ExclusiveScan(temp, bytes, data, data, op, initial, n, stream);
    }
    template <typename In, typename Out, typename Op, typename N, typename = detail::if_number<N>>
    static cudaError_t InclusiveScan(void* temp, size_t& bytes, In in, Out out, Op op, N n, cudaStream_t stream = 0) {
        typedef detail::Accumulator<Op, detail::Value<In>, detail::Value<In>> A;
        return detail::scan<true, A>(temp, bytes, n, in, out, op, A(), false, stream);
    }
    template <typename It, typename Op, typename N, typename = detail::if_number<N>>
    static cudaError_t InclusiveScan(void* temp, size_t& bytes, It data, Op op, N n, cudaStream_t stream = 0) {
        return InclusiveScan(temp, bytes, data, data, op, n, stream);
    }
    template <typename In, typename Out, typename Op, typename T, typename N, typename = detail::if_number<N>>
    static cudaError_t InclusiveScanInit(void* temp, size_t& bytes, In in, Out out, Op op, T initial, N n, cudaStream_t stream = 0) {
        typedef detail::Accumulator<Op, T, detail::Value<In>> A;
        return detail::scan<true, A>(temp, bytes, n, in, out, op, static_cast<A>(initial), true, stream);
    }
    template <typename In, typename Out, typename N, typename = detail::if_number<N>>
    static cudaError_t ExclusiveSum(void* temp, size_t& bytes, In in, Out out, N n, cudaStream_t stream = 0) {
        return ExclusiveScan(temp, bytes, in, out, cub::Sum(), detail::Value<In>(), n, stream);
    }
    template <typename It, typename N, typename = detail::if_number<N>>
    static cudaError_t ExclusiveSum(void* temp, size_t& bytes, It data, N n, cudaStream_t stream = 0) {
        return ExclusiveSum(temp, bytes, data, data, n, stream);
    }
    template <typename In, typename Out, typename N, typename = detail::if_number<N>>
    static cudaError_t InclusiveSum(void* temp, size_t& bytes, In in, Out out, N n, cudaStream_t stream = 0) {
        return InclusiveScan(temp, bytes, in, out, cub::Sum(), n, stream);
    }
    template <typename It, typename N, typename = detail::if_number<N>>
    static cudaError_t InclusiveSum(void* temp, size_t& bytes, It data, N n, cudaStream_t stream = 0) {
        return InclusiveSum(temp, bytes, data, data, n, stream);
    }
    template <typename Keys, typename In, typename Out, typename Op, typename T, typename N, typename Equal = Equality>
    static cudaError_t ExclusiveScanByKey(void* temp, size_t& bytes, Keys keys, In in, Out out, Op op, T initial, N n, Equal equal = Equal(),
                                          cudaStream_t stream = 0) {
        typedef detail::Accumulator<Op, T, detail::Value<In>> A;
        return detail::scan_by_key<false, A>(temp, bytes, n, keys, in, out, op, static_cast<A>(initial), equal, stream);
    }
    template <typename Keys, typename In, typename Out, typename Op, typename N, typename Equal = Equality>
    static cudaError_t InclusiveScanByKey(void* temp, size_t& bytes, Keys keys, In in, Out out, Op op, N n, Equal equal = Equal(),
                                          cudaStream_t stream = 0) {
        typedef detail::Accumulator<Op, detail::Value<In>, detail::Value<In>> A;
        return detail::scan_by_key<true, A>(temp, bytes, n, keys, in, out, op, A(), equal, stream);
    }
    template <typename Keys, typename In, typename Out, typename N, typename Equal = Equality>
    static cudaError_t ExclusiveSumByKey(void* temp, size_t& bytes, Keys keys, In in, Out out, N n, Equal equal = Equal(), cudaStream_t stream = 0) {
        return ExclusiveScanByKey(temp, bytes, keys, in, out, cub::Sum(), detail::Value<In>(), n, equal, stream);
    }
    template <typename Keys, typename In, typename Out, typename N, typename Equal = Equality>
    static cudaError_t InclusiveSumByKey(void* temp, size_t& bytes, Keys keys, In in, Out out, N n, Equal equal = Equal(), cudaStream_t stream = 0) {
        return InclusiveScanByKey(temp, bytes, keys, in, out, cub::Sum(), n, equal, stream);
    }
};

}

#endif
