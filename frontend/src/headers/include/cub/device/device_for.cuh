/* What goes element by element: functions of indices and elements, transforms, differences, and copies of many ranges. */
#ifndef CUDAIR_CUB_DEVICE_FOR_H
#define CUDAIR_CUB_DEVICE_FOR_H

#include <cub/detail/device.cuh>
#include <thrust/detail/tuple.h>

namespace cub {

namespace detail {
template <typename It, typename F> struct at_element {
    It it;
    mutable F f;
    __device__ void operator()(long long i) const { f(it[i]); }
};
template <typename It, typename F> struct at_copy {
    It it;
    mutable F f;
    __device__ void operator()(long long i) const { f(Value<It>(it[i])); }
};
template <typename F, typename N> struct at_index {
    mutable F f;
    __device__ void operator()(long long i) const { f(static_cast<N>(i)); }
};
template <typename F> cudaError_t run_each(long long n, F f, cudaStream_t stream) {
    each(n, f, stream);
    return cudaPeekAtLastError();
}
inline bool wants_size(void* temp, size_t& bytes) {
    if (temp == nullptr) bytes = 1;
    return temp == nullptr;
}
}

/* Each with and without the pair of calls. */
struct DeviceFor {
    template <typename N, typename F> static cudaError_t Bulk(N n, F f, cudaStream_t stream = 0) {
        return detail::run_each(n, detail::at_index<F, N>{f}, stream);
    }
    template <typename N, typename F> static cudaError_t Bulk(void* temp, size_t& bytes, N n, F f, cudaStream_t stream = 0) {
        return detail::wants_size(temp, bytes) ? cudaSuccess : Bulk(n, f, stream);
    }
    template <typename It, typename N, typename F, typename = detail::if_number<N>>
    static cudaError_t ForEachN(It first, N n, F f, cudaStream_t stream = 0) {
        return detail::run_each(n, detail::at_element<It, F>{first, f}, stream);
    }
    template <typename It, typename N, typename F> static cudaError_t ForEachN(void* temp, size_t& bytes, It first, N n, F f, cudaStream_t stream = 0) {
        return detail::wants_size(temp, bytes) ? cudaSuccess : ForEachN(first, n, f, stream);
    }
    template <typename It, typename F> static cudaError_t ForEach(It first, It last, F f, cudaStream_t stream = 0) {
        return detail::run_each(last - first, detail::at_element<It, F>{first, f}, stream);
    }
    template <typename It, typename F> static cudaError_t ForEach(void* temp, size_t& bytes, It first, It last, F f, cudaStream_t stream = 0) {
        return detail::wants_size(temp, bytes) ? cudaSuccess : ForEach(first, last, f, stream);
    }
    template <typename It, typename N, typename F, typename = detail::if_number<N>>
    static cudaError_t ForEachCopyN(It first, N n, F f, cudaStream_t stream = 0) {
        return detail::run_each(n, detail::at_copy<It, F>{first, f}, stream);
    }
    template <typename It, typename N, typename F> static cudaError_t ForEachCopyN(void* temp, size_t& bytes, It first, N n, F f, cudaStream_t stream = 0) {
        return detail::wants_size(temp, bytes) ? cudaSuccess : ForEachCopyN(first, n, f, stream);
    }
    template <typename It, typename F> static cudaError_t ForEachCopy(It first, It last, F f, cudaStream_t stream = 0) {
        return detail::run_each(last - first, detail::at_copy<It, F>{first, f}, stream);
    }
    template <typename It, typename F> static cudaError_t ForEachCopy(void* temp, size_t& bytes, It first, It last, F f, cudaStream_t stream = 0) {
        return detail::wants_size(temp, bytes) ? cudaSuccess : ForEachCopy(first, last, f, stream);
    }
};

namespace detail {
template <typename In, typename Out, typename F> struct transform_one {
    In in;
    Out out;
    mutable F f;
    __device__ void operator()(long long i) const { out[i] = f(in[i]); }
};
/* Several inputs. */
template <typename Out, typename F, typename... In> struct transform_many {
    thrust::tuple<In...> in;
    Out out;
    mutable F f;
    template <size_t... K> __device__ void at(long long i, std::index_sequence<K...>) const { out[i] = f(in.template get<K>()[i]...); }
    __device__ void operator()(long long i) const { at(i, std::make_index_sequence<sizeof...(In)>()); }
};
}
struct DeviceTransform {
    template <typename In, typename Out, typename N, typename F, typename = typename std::iterator_traits<In>::value_type>
    static cudaError_t Transform(In in, Out out, N n, F f, cudaStream_t stream = 0) {
        return detail::run_each(n, detail::transform_one<In, Out, F>{in, out, f}, stream);
    }
    template <template <typename...> class Tuple, typename... In, typename Out, typename N, typename F>
    static cudaError_t Transform(Tuple<In...> in, Out out, N n, F f, cudaStream_t stream = 0) {
        return many(in, out, n, f, stream, std::make_index_sequence<sizeof...(In)>());
    }

private:
    template <typename... In, template <typename...> class Tuple, typename Out, typename F, size_t... K>
    static cudaError_t many(const Tuple<In...>& in, Out out, long long n, F f, cudaStream_t stream, std::index_sequence<K...>) {
        using std::get;
        using thrust::get;
        return detail::run_each(n, detail::transform_many<Out, F, In...>{thrust::tuple<In...>(get<K>(in)...), out, f}, stream);
    }
};

namespace detail {
template <bool LEFT, typename In, typename Out, typename Op> __global__ void difference_kernel(long long n, In in, Out out, Op op) {
    constexpr int THREADS = thrust::detail::THREADS;
    /* In the direction in which nothing is read that has been written. */
    const long long tiles = (n + THREADS - 1) / THREADS;
    for (long long k = 0; k < tiles; k++) {
        const long long i = (LEFT ? tiles - 1 - k : k) * THREADS + threadIdx.x;
        const bool edge = LEFT ? i == 0 : i == n - 1;
        const Value<In> own = in[i < n ? i : n - 1], other = in[i < n && !edge ? (LEFT ? i - 1 : i + 1) : n - 1];
        __syncthreads();
        if (i >= n) continue;
        if (edge) out[i] = own;
        else out[i] = op(own, other);
    }
}
template <bool LEFT, typename In, typename Out, typename N, typename Op>
cudaError_t differences(void* temp, size_t& bytes, In in, Out out, N n, Op op, cudaStream_t stream) {
    if (wants_size(temp, bytes)) return cudaSuccess;
    if (n > 0) difference_kernel<LEFT><<<1, int(thrust::detail::THREADS), 0, stream>>>((long long)n, in, out, op);
    return cudaPeekAtLastError();
}
}
struct DeviceAdjacentDifference {
    template <typename In, typename Out, typename N, typename Op = Difference>
    static cudaError_t SubtractLeftCopy(void* temp, size_t& bytes, In in, Out out, N n, Op op = Op(), cudaStream_t stream = 0) {
        return detail::differences<true>(temp, bytes, in, out, n, op, stream);
    }
    template <typename It, typename N, typename Op = Difference>
    static cudaError_t SubtractLeft(void* temp, size_t& bytes, It data, N n, Op op = Op(), cudaStream_t stream = 0) {
        return detail::differences<true>(temp, bytes, data, data, n, op, stream);
    }
    template <typename In, typename Out, typename N, typename Op = Difference>
    static cudaError_t SubtractRightCopy(void* temp, size_t& bytes, In in, Out out, N n, Op op = Op(), cudaStream_t stream = 0) {
        return detail::differences<false>(temp, bytes, in, out, n, op, stream);
    }
    template <typename It, typename N, typename Op = Difference>
    static cudaError_t SubtractRight(void* temp, size_t& bytes, It data, N n, Op op = Op(), cudaStream_t stream = 0) {
        return detail::differences<false>(temp, bytes, data, data, n, op, stream);
    }
};

namespace detail {
/* A block for each range. */
template <typename In, typename Out, typename Sizes> __global__ void copy_ranges_kernel(In in, Out out, Sizes sizes) {
    const auto from = in[blockIdx.x];
    const auto to = out[blockIdx.x];
    const long long n = sizes[blockIdx.x];
    for (long long i = threadIdx.x; i < n; i += blockDim.x) to[i] = from[i];
}
template <typename In, typename Out, typename Sizes> __global__ void copy_bytes_kernel(In in, Out out, Sizes sizes) {
    const unsigned char* const from = (const unsigned char*)in[blockIdx.x];
    unsigned char* const to = (unsigned char*)out[blockIdx.x];
    const long long n = sizes[blockIdx.x];
    for (long long i = threadIdx.x; i < n; i += blockDim.x) to[i] = from[i];
}
}
struct DeviceCopy {
    template <typename In, typename Out, typename Sizes>
    static cudaError_t Batched(void* temp, size_t& bytes, In in, Out out, Sizes sizes, long long ranges, cudaStream_t stream = 0) {
        if (detail::wants_size(temp, bytes)) return cudaSuccess;
        if (ranges > 0) detail::copy_ranges_kernel<<<unsigned(ranges), 256, 0, stream>>>(in, out, sizes);
        return cudaPeekAtLastError();
    }
};
struct DeviceMemcpy {
    template <typename In, typename Out, typename Sizes>
    static cudaError_t Batched(void* temp, size_t& bytes, In in, Out out, Sizes sizes, long long buffers, cudaStream_t stream = 0) {
        if (detail::wants_size(temp, bytes)) return cudaSuccess;
        if (buffers > 0) detail::copy_bytes_kernel<<<unsigned(buffers), 256, 0, stream>>>(in, out, sizes);
        return cudaPeekAtLastError();
    }
};

}

#endif
