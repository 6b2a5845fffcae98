/* Reductions of the device. */
#ifndef CUDAIR_CUB_DEVICE_REDUCE_H
#define CUDAIR_CUB_DEVICE_REDUCE_H

#include <cub/detail/device.cuh>
#include <cub/iterator/iterators.cuh>

namespace cub {

namespace detail {
template <typename T, typename In, typename Out, typename Op>
cudaError_t reduce(void* temp, size_t& bytes, long long n, In in, Out out, Op op, T initial, cudaStream_t stream) {
    constexpr int SIZE = thrust::detail::team<T>::size;
    const long long wanted = (n + 16 * SIZE - 1) / (16 * SIZE);
    const int blocks = wanted < 64 ? int(wanted) : 64;
    scratch memory(temp, bytes);
    T* const partial = memory.take<T>(blocks > 1 ? blocks : 0);
    cudaError_t error;
    if (memory.ends(bytes, error)) return error;
    if (blocks <= 1) memory.touch(stream);
    if (n <= 0) {
        write(out, initial, stream);
    } else if (blocks == 1) {
        thrust::detail::reduce_kernel<T><<<1, SIZE, 0, stream>>>(n, in, out, op, initial, true);
    } else {
        thrust::detail::reduce_kernel<T><<<blocks, SIZE, 0, stream>>>(n, in, partial, op, initial, false);
        thrust::detail::reduce_kernel<T><<<1, SIZE, 0, stream>>>((long long)blocks, load_from<T, T*>{partial}, out, op, initial, true);
    }
    return cudaPeekAtLastError();
}
template <typename Pair, typename It> struct load_indexed {
    It it;
    __device__ Pair operator()(long long i) const { return Pair(static_cast<typename Pair::Key>(i), it[i]); }
};
template <typename Value, typename Index> struct split_pair {
    Value value;
    Index index;
    struct Place {
        Value value;
        Index index;
        template <typename Pair> __device__ void operator=(const Pair& p) const {
            *value = p.value;
            *index = p.key;
        }
    };
    __device__ Place operator[](long long) const { return Place{value, index}; }
    __device__ Place operator*() const { return Place{value, index}; }
};
}

struct DeviceReduce {
    template <typename In, typename Out, typename Op, typename T, typename N>
    static cudaError_t Reduce(void* temp, size_t& bytes, In in, Out out, N n, Op op, T initial, cudaStream_t stream = 0) {
        typedef detail::Accumulator<Op, T, detail::Value<In>> A;
        return detail::reduce<A>(temp, bytes, n, detail::load_from<A, In>{in}, out, op, static_cast<A>(initial), stream);
    }
    template <typename In, typename Out, typename N> static cudaError_t Sum(void* temp, size_t& bytes, In in, Out out, N n, cudaStream_t stream = 0) {
        return Reduce(temp, bytes, in, out, n, cub::Sum(), detail::ValueOr<Out, detail::Value<In>>(), stream);
    }
    template <typename In, typename Out, typename N> static cudaError_t Max(void* temp, size_t& bytes, In in, Out out, N n, cudaStream_t stream = 0) {
        return Reduce(temp, bytes, in, out, n, cub::Max(), std::numeric_limits<detail::Value<In>>::lowest(), stream);
    }
    template <typename In, typename Out, typename N> static cudaError_t Min(void* temp, size_t& bytes, In in, Out out, N n, cudaStream_t stream = 0) {
        return Reduce(temp, bytes, in, out, n, cub::Min(), std::numeric_limits<detail::Value<In>>::max(), stream);
    }
    template <typename In, typename Out, typename N, typename Op, typename F, typename T>
    static cudaError_t TransformReduce(void* temp, size_t& bytes, In in, Out out, N n, Op op, F f, T initial, cudaStream_t stream = 0) {
        typedef typename std::decay<decltype(f(in[0]))>::type Made;
        typedef detail::Accumulator<Op, T, Made> A;
        return detail::reduce<A>(temp, bytes, n, detail::load_through<A, In, F>{in, f}, out, op, static_cast<A>(initial), stream);
    }
    /* The pair of an index and the value there. */
    template <typename In, typename Out, typename N, typename = detail::if_number<N>>
    static cudaError_t ArgMin(void* temp, size_t& bytes, In in, Out out, N n, cudaStream_t stream = 0) {
        typedef KeyValuePair<int, detail::Value<In>> Pair;
        return detail::reduce<Pair>(temp, bytes, n, detail::load_indexed<Pair, In>{in}, out, cub::ArgMin(),
                                    Pair(n > 0 ? 0x7fffffff : 1, std::numeric_limits<detail::Value<In>>::max()), stream);
    }
    template <typename In, typename Out, typename N, typename = detail::if_number<N>>
    static cudaError_t ArgMax(void* temp, size_t& bytes, In in, Out out, N n, cudaStream_t stream = 0) {
        typedef KeyValuePair<int, detail::Value<In>> Pair;
        return detail::reduce<Pair>(temp, bytes, n, detail::load_indexed<Pair, In>{in}, out, cub::ArgMax(),
                                    Pair(n > 0 ? 0x7fffffff : 1, std::numeric_limits<detail::Value<In>>::lowest()), stream);
    }
    template <typename In, typename Out, typename Index>
    static cudaError_t ArgMin(void* temp, size_t& bytes, In in, Out out, Index index, long long n, cudaStream_t stream = 0) {
        typedef KeyValuePair<long long, detail::Value<In>> Pair;
        return detail::reduce<Pair>(temp, bytes, n, detail::load_indexed<Pair, In>{in}, detail::split_pair<Out, Index>{out, index}, cub::ArgMin(),
                                    Pair(n > 0 ? 0x7fffffffffffffffll : 1, std::numeric_limits<detail::Value<In>>::max()), stream);
    }
    template <typename In, typename Out, typename Index>
    static cudaError_t ArgMax(void* temp, size_t& bytes, In in, Out out, Index index, long long n, cudaStream_t stream = 0) {
        typedef KeyValuePair<long long, detail::Value<In>> Pair;
        return detail::reduce<Pair>(temp, bytes, n, detail::load_indexed<Pair, In>{in}, detail::split_pair<Out, Index>{out, index}, cub::ArgMax(),
                                    Pair(n > 0 ? 0x7fffffffffffffffll : 1, std::numeric_limits<detail::Value<In>>::lowest()), stream);
    }
    template <typename Keys, typename Unique, typename Values, typename Sums, typename Count, typename Op, typename N>
    static cudaError_t ReduceByKey(void* temp, size_t& bytes, Keys keys, Unique unique, Values values, Sums sums, Count count, Op op, N n,
                                   cudaStream_t stream = 0) {
        typedef detail::Accumulator<Op, detail::Value<Values>, detail::Value<Values>> T;
        detail::scratch memory(temp, bytes);
        cudaError_t error;
        if (memory.ends(bytes, error, n, stream)) return error;
        if (n <= 0)
            detail::write(count, 0, stream);
        else
            thrust::detail::reduce_by_key_kernel<T><<<1, thrust::detail::team<T>::size, 0, stream>>>(
                (long long)n, keys, detail::load_from<T, Values>{values}, unique, sums, Equality(), op, count);
        return cudaPeekAtLastError();
    }
};

namespace detail {
template <typename T, typename In, typename Out, typename Begin, typename End, typename Op>
__global__ void segmented_reduce_kernel(In in, Out out, Begin begin, End end, Op op, T initial) {
    __shared__ thrust::detail::slots<T, 256> partial;
    const long long first = begin[blockIdx.x], last = end[blockIdx.x];
    const int t = threadIdx.x, size = blockDim.x;
    const int count = last - first < size ? int(last - first) : size;
    if (t < count) {
        T all = in(first + t);
        for (long long i = first + t + size; i < last; i += size) all = op(all, in(i));
        ::new ((void*)&partial[t]) T(all);
    }
    for (int half = size / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half && t + half < count) partial[t] = op(partial[t], partial[t + half]);
    }
    if (t == 0) {
        if (count <= 0) out[blockIdx.x] = initial;
        else out[blockIdx.x] = static_cast<T>(op(initial, partial[0]));
    }
}
/* Indices are those within the segment. */
template <typename Out, typename Begin> struct from_segment_start {
    Out out;
    Begin begin;
    struct Segment {
        Out out;
        long long segment, start;
        template <typename Pair> __device__ void operator=(Pair p) const {
            p.key = p.key == 0x7fffffff ? 1 : p.key - typename Pair::Key(start);
            out[segment] = p;
        }
    };
    __device__ Segment operator[](long long i) const { return Segment{out, i, (long long)begin[i]}; }
};
template <typename T, typename In, typename Out, typename Begin, typename End, typename Op>
cudaError_t segmented_reduce(void* temp, size_t& bytes, long long segments, In in, Out out, Begin begin, End end, Op op, T initial,
                             cudaStream_t stream) {
    scratch memory(temp, bytes);
    cudaError_t error;
    if (memory.ends(bytes, error)) return error;
    memory.touch(stream);
    if (segments > 0) segmented_reduce_kernel<T><<<unsigned(segments), sizeof(T) <= 128 ? 256 : 32, 0, stream>>>(in, out, begin, end, op, initial);
    return cudaPeekAtLastError();
}
}

struct DeviceSegmentedReduce {
    template <typename In, typename Out, typename Begin, typename End, typename Op, typename T>
    static cudaError_t Reduce(void* temp, size_t& bytes, In in, Out out, long long segments, Begin begin, End end, Op op, T initial,
                              cudaStream_t stream = 0) {
        typedef detail::Accumulator<Op, T, detail::Value<In>> A;
        return detail::segmented_reduce<A>(temp, bytes, segments, detail::load_from<A, In>{in}, out, begin, end, op, static_cast<A>(initial), stream);
    }
    template <typename In, typename Out, typename Begin, typename End>
    static cudaError_t Sum(void* temp, size_t& bytes, In in, Out out, long long segments, Begin begin, End end, cudaStream_t stream = 0) {
        return Reduce(temp, bytes, in, out, segments, begin, end, cub::Sum(), detail::ValueOr<Out, detail::Value<In>>(), stream);
    }
    template <typename In, typename Out, typename Begin, typename End>
    static cudaError_t Max(void* temp, size_t& bytes, In in, Out out, long long segments, Begin begin, End end, cudaStream_t stream = 0) {
        return Reduce(temp, bytes, in, out, segments, begin, end, cub::Max(), std::numeric_limits<detail::Value<In>>::lowest(), stream);
    }
    template <typename In, typename Out, typename Begin, typename End>
    static cudaError_t Min(void* temp, size_t& bytes, In in, Out out, long long segments, Begin begin, End end, cudaStream_t stream = 0) {
        return Reduce(temp, bytes, in, out, segments, begin, end, cub::Min(), std::numeric_limits<detail::Value<In>>::max(), stream);
    }
    /* The pair of an index within the segment and the value there; of an empty one (1, the extreme). */
    template <typename In, typename Out, typename Begin, typename End>
    static cudaError_t ArgMin(void* temp, size_t& bytes, In in, Out out, long long segments, Begin begin, End end, cudaStream_t stream = 0) {
        return arg(temp, bytes, in, out, segments, begin, end, cub::ArgMin(), std::numeric_limits<detail::Value<In>>::max(), stream);
    }
    template <typename In, typename Out, typename Begin, typename End>
    static cudaError_t ArgMax(void* temp, size_t& bytes, In in, Out out, long long segments, Begin begin, End end, cudaStream_t stream = 0) {
        return arg(temp, bytes, in, out, segments, begin, end, cub::ArgMax(), std::numeric_limits<detail::Value<In>>::lowest(), stream);
    }

private:
    template <typename In, typename Out, typename Begin, typename End, typename Op, typename T>
    static cudaError_t arg(void* temp, size_t& bytes, In in, Out out, long long segments, Begin begin, End end, Op op, T extreme, cudaStream_t stream) {
        typedef KeyValuePair<int, T> Pair;
        return detail::segmented_reduce<Pair>(temp, bytes, segments, detail::load_indexed<Pair, In>{in},
                                              detail::from_segment_start<Out, Begin>{out, begin}, begin, end, op, Pair(0x7fffffff, extreme), stream);
    }
};

}

#endif
