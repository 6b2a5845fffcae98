/* Selections, partitions and runs of the device. */
#ifndef CUDAIR_CUB_DEVICE_SELECT_H
#define CUDAIR_CUB_DEVICE_SELECT_H

#include <cub/detail/device.cuh>
#include <thrust/detail/selection.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/unique.h>

namespace cub {

namespace detail {

template <typename Out> using to_output = thrust::detail::to_output<Out>;
using thrust::detail::no_output;
/* What is not selected goes to the end, from there backwards. */
template <typename Out> struct to_rear {
    Out out;
    long long n;
    template <typename T> __device__ void put(long long i, const T& value) const { out[n - 1 - i] = value; }
};
struct is_set {
    template <typename T> __host__ __device__ bool operator()(const T& x) const { return bool(x); }
};
template <typename In, typename Kept, typename Dropped, typename Pred> struct own_choice {
    In in;
    Kept kept;
    Dropped dropped;
    mutable Pred pred;
    __device__ Value<In> take(long long i) const { return in[i]; }
    __device__ bool is_kept(long long, const Value<In>& x) const { return bool(pred(x)); }
    __device__ void keep(long long place, const Value<In>& x) const { kept.put(place, x); }
    __device__ void drop(long long place, const Value<In>& x) const { dropped.put(place, x); }
};
template <typename In, typename Flags, typename Kept, typename Dropped, typename Pred> struct flag_choice {
    In in;
    Flags flags;
    Kept kept;
    Dropped dropped;
    mutable Pred pred;
    __device__ Value<In> take(long long i) const { return in[i]; }
    __device__ bool is_kept(long long i, const Value<In>&) const { return bool(pred(flags[i])); }
    __device__ void keep(long long place, const Value<In>& x) const { kept.put(place, x); }
    __device__ void drop(long long place, const Value<In>& x) const { dropped.put(place, x); }
};
template <typename Choice, typename Count> cudaError_t select(void* temp, size_t& bytes, long long n, Choice choice, Count count, cudaStream_t stream) {
    scratch memory(temp, bytes);
    cudaError_t error;
    if (memory.ends(bytes, error, n, stream)) return error;
    thrust::detail::select_kernel<<<1, int(thrust::detail::THREADS), 0, stream>>>(n, choice, count);
    return cudaPeekAtLastError();
}
template <typename In, typename Kept, typename Dropped, typename Pred> own_choice<In, Kept, Dropped, Pred> choose(In in, Kept kept, Dropped dropped, Pred pred) {
    return own_choice<In, Kept, Dropped, Pred>{in, kept, dropped, pred};
}
template <typename In, typename Flags, typename Kept, typename Dropped, typename Pred>
flag_choice<In, Flags, Kept, Dropped, Pred> choose(In in, Flags flags, Kept kept, Dropped dropped, Pred pred) {
    return flag_choice<In, Flags, Kept, Dropped, Pred>{in, flags, kept, dropped, pred};
}

}

struct DeviceSelect {
    template <typename In, typename Flags, typename Out, typename Count, typename N, typename = detail::if_number<N>>
    static cudaError_t Flagged(void* temp, size_t& bytes, In in, Flags flags, Out out, Count count, N n, cudaStream_t stream = 0) {
        return detail::select(temp, bytes, n, detail::choose(in, flags, detail::to_output<Out>{out}, detail::no_output(), detail::is_set()), count, stream);
    }
    template <typename It, typename Flags, typename Count, typename N, typename = detail::if_number<N>>
    static cudaError_t Flagged(void* temp, size_t& bytes, It data, Flags flags, Count count, N n, cudaStream_t stream = 0) {
        return Flagged(temp, bytes, data, flags, data, count, n, stream);
    }
    template <typename In, typename Out, typename Count, typename N, typename Pred, typename = detail::if_number<N>>
    static cudaError_t If(void* temp, size_t& bytes, In in, Out out, Count count, N n, Pred pred, cudaStream_t stream = 0) {
        return detail::select(temp, bytes, n, detail::choose(in, detail::to_output<Out>{out}, detail::no_output(), pred), count, stream);
    }
    template <typename It, typename Count, typename N, typename Pred, typename = detail::if_number<N>>
    static cudaError_t If(void* temp, size_t& bytes, It data, Count count, N n, Pred pred, cudaStream_t stream = 0) {
        return If(temp, bytes, data, data, count, n, pred, stream);
    }
    template <typename In, typename Flags, typename Out, typename Count, typename N, typename Pred, typename = detail::if_number<N>>
    static cudaError_t FlaggedIf(void* temp, size_t& bytes, In in, Flags flags, Out out, Count count, N n, Pred pred, cudaStream_t stream = 0) {
        return detail::select(temp, bytes, n, detail::choose(in, flags, detail::to_output<Out>{out}, detail::no_output(), pred), count, stream);
    }
    template <typename It, typename Flags, typename Count, typename N, typename Pred, typename = detail::if_number<N>>
    static cudaError_t FlaggedIf(void* temp, size_t& bytes, It data, Flags flags, Count count, N n, Pred pred, cudaStream_t stream = 0) {
        return FlaggedIf(temp, bytes, data, flags, data, count, n, pred, stream);
    }
    template <typename In, typename Out, typename Count, typename N, typename = detail::if_number<N>>
    static cudaError_t Unique(void* temp, size_t& bytes, In in, Out out, Count count, N n, cudaStream_t stream = 0) {
        typedef thrust::detail::nothing None;
        return detail::select(temp, bytes, n, thrust::detail::first_of_run<In, None, Out, None, Equality>{in, None(), out, None(), Equality()}, count, stream);
    }
    template <typename Keys, typename Values, typename KeysOut, typename ValuesOut, typename Count, typename N, typename Equal = Equality,
              typename = detail::if_number<N>>
    static cudaError_t UniqueByKey(void* temp, size_t& bytes, Keys keys, Values values, KeysOut keys_out, ValuesOut values_out, Count count, N n,
                                   Equal equal = Equal(), cudaStream_t stream = 0) {
        return detail::select(temp, bytes, n,
                              thrust::detail::first_of_run<Keys, Values, KeysOut, ValuesOut, Equal>{keys, values, keys_out, values_out, equal}, count, stream);
    }
};

namespace detail {
/* The part of a first predicate, of a second, and the rest, in two goes. */
template <typename First, typename Second> struct second_of_three {
    mutable First first;
    mutable Second second;
    template <typename T> __device__ bool operator()(const T& x) const { return !first(x) && second(x); }
};
template <typename First, typename Second> struct neither {
    mutable First first;
    mutable Second second;
    template <typename T> __device__ bool operator()(const T& x) const { return !first(x) && !second(x); }
};
}

struct DevicePartition {
    template <typename In, typename Flags, typename Out, typename Count, typename N, typename = detail::if_number<N>>
    static cudaError_t Flagged(void* temp, size_t& bytes, In in, Flags flags, Out out, Count count, N n, cudaStream_t stream = 0) {
        return detail::select(temp, bytes, n,
                              detail::choose(in, flags, detail::to_output<Out>{out}, detail::to_rear<Out>{out, (long long)n}, detail::is_set()), count,
                              stream);
    }
    template <typename In, typename Out, typename Count, typename N, typename Pred, typename = detail::if_number<N>>
    static cudaError_t If(void* temp, size_t& bytes, In in, Out out, Count count, N n, Pred pred, cudaStream_t stream = 0) {
        return detail::select(temp, bytes, n, detail::choose(in, detail::to_output<Out>{out}, detail::to_rear<Out>{out, (long long)n}, pred), count, stream);
    }
    /* Into three parts; `count` takes how many are of the first and of the second. */
    template <typename In, typename First, typename Second, typename Rest, typename Count, typename N, typename P1, typename P2>
    static cudaError_t If(void* temp, size_t& bytes, In in, First first, Second second, Rest rest, Count count, N n, P1 p1, P2 p2,
                          cudaStream_t stream = 0) {
        detail::scratch memory(temp, bytes);
        long long* const ignored = memory.take<long long>(1);
        cudaError_t error;
        if (memory.ends(bytes, error, n, stream)) return error;
        size_t enough = size_t(-1);
        error = detail::select(temp, enough, n, detail::choose(in, detail::to_output<First>{first}, detail::no_output(), p1), count, stream);
        if (error != cudaSuccess) return error;
        error = detail::select(temp, enough, n,
                               detail::choose(in, detail::to_output<Second>{second}, detail::no_output(), detail::second_of_three<P1, P2>{p1, p2}),
                               count + 1, stream);
        if (error != cudaSuccess) return error;
        return detail::select(temp, enough, n, detail::choose(in, detail::to_output<Rest>{rest}, detail::no_output(), detail::neither<P1, P2>{p1, p2}),
                              ignored, stream);
    }
};

namespace detail {
template <typename In, typename Offsets, typename Lengths, typename Count>
__global__ void nontrivial_runs_kernel(In in, Offsets offsets, Lengths lengths, Count count, long long n) {
    /* One thread goes along: runs are known only at their ends. */
    long long runs = 0, start = 0;
    for (long long i = 1; i <= n; i++) {
        if (i < n && in[i] == in[i - 1]) continue;
        if (i - start > 1) {
            offsets[runs] = start;
            lengths[runs] = i - start;
            runs++;
        }
        start = i;
    }
    *count = runs;
}
}

struct DeviceRunLengthEncode {
    template <typename In, typename Unique, typename Lengths, typename Count, typename N>
    static cudaError_t Encode(void* temp, size_t& bytes, In in, Unique unique, Lengths lengths, Count count, N n, cudaStream_t stream = 0) {
        typedef detail::ValueOr<Lengths, int> Length;
        typedef thrust::detail::load_from<Length, thrust::constant_iterator<Length>> Ones;
        detail::scratch memory(temp, bytes);
        cudaError_t error;
        if (memory.ends(bytes, error, n, stream)) return error;
        if (n <= 0)
            detail::write(count, 0, stream);
        else
            thrust::detail::reduce_by_key_kernel<Length><<<1, int(thrust::detail::THREADS), 0, stream>>>(
                (long long)n, in, Ones{thrust::constant_iterator<Length>(Length(1))}, unique, lengths, Equality(), cub::Sum(), count);
        return cudaPeekAtLastError();
    }
    template <typename In, typename Offsets, typename Lengths, typename Count, typename N>
    static cudaError_t NonTrivialRuns(void* temp, size_t& bytes, In in, Offsets offsets, Lengths lengths, Count count, N n, cudaStream_t stream = 0) {
        detail::scratch memory(temp, bytes);
        cudaError_t error;
        if (memory.ends(bytes, error, n, stream)) return error;
        detail::nontrivial_runs_kernel<<<1, 1, 0, stream>>>(in, offsets, lengths, count, (long long)n);
        return cudaPeekAtLastError();
    }
};

}

#endif
