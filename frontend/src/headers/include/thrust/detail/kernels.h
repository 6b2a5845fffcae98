/* Reductions, scans and selections of the device. Reductions go along their input with many threads; scans give each thread
   of a block a piece, and selections take a tile after the other, so that they may write where they read. */
#ifndef CUDAIR_THRUST_KERNELS_H
#define CUDAIR_THRUST_KERNELS_H

#include <thrust/detail/core.h>

namespace thrust {
namespace detail {

/* How many threads work together on values of a type: as many as shared memory has room for. */
template <typename T> struct team {
    static constexpr int size = sizeof(T) <= 128 ? 256 : sizeof(T) <= 1024 ? 32 : 8;
};
/* A value per thread, without a constructor, as shared memory has none. */
template <typename T, int N> struct slots {
    alignas(T) unsigned char bytes[sizeof(T) * N];
    __device__ T& operator[](int i) { return reinterpret_cast<T*>(bytes)[i]; }
};

/* What is reduced or scanned, by index. */
template <typename T, typename It> struct load_from {
    It it;
    __device__ T operator()(long long i) const { return static_cast<T>(it[i]); }
};
template <typename T, typename It, typename F> struct load_through {
    It it;
    mutable F f;
    __device__ T operator()(long long i) const { return static_cast<T>(f(it[i])); }
};

template <typename T, typename Out> __device__ void put(Out out, long long i, const T& value) {
    if constexpr (std::is_same<Out, T*>::value) ::new ((void*)(out + i)) T(value);
    else out[i] = value;
}

/* Each block's result, to its place in `out`; the sole block's joined with the initial value. */
template <typename T, typename In, typename Out, typename Op>
__global__ void reduce_kernel(long long n, In in, Out out, Op op, T initial, bool last) {
    constexpr int SIZE = team<T>::size;
    __shared__ slots<T, SIZE> partial;
    const int t = threadIdx.x;
    const long long first = blockIdx.x * (long long)SIZE, step = gridDim.x * (long long)SIZE;
    const int count = n - first < SIZE ? int(n - first) : SIZE;
    if (t < count) {
        T all = in(first + t);
        for (long long i = first + t + step; i < n; i += step) all = op(all, in(i));
        ::new ((void*)&partial[t]) T(all);
    }
    for (int half = SIZE / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half && t + half < count) partial[t] = op(partial[t], partial[t + half]);
    }
    if (t == 0) put<T>(out, blockIdx.x, last ? static_cast<T>(op(initial, partial[0])) : partial[0]);
}

/* op(initial, …) of all in(i), in some order, to `*out`. */
template <typename T, typename P, typename In, typename Op>
void reduce_to(const P& p, long long n, In in, T initial, Op op, T* out) {
    constexpr int SIZE = team<T>::size;
    const long long wanted = (n + 16 * SIZE - 1) / (16 * SIZE);
    const int blocks = wanted < 64 ? int(wanted) : 64;
    if (blocks == 1) {
        reduce_kernel<<<1, SIZE, 0, p.cudair_stream()>>>(n, in, out, op, initial, true);
        return;
    }
    temporary<T, P> partial(p, blocks);
    reduce_kernel<<<blocks, SIZE, 0, p.cudair_stream()>>>(n, in, partial.get(), op, initial, false);
    reduce_kernel<<<1, SIZE, 0, p.cudair_stream()>>>((long long)blocks, load_from<T, T*>{partial.get()}, out, op, initial, true);
}
template <typename T, typename P, typename In, typename Op>
T reduce_all(const P& p, long long n, In in, T initial, Op op, const char* what) {
    if (n <= 0) return initial;
    temporary<T, P> out(p, 1);
    reduce_to(p, n, in, initial, op, out.get());
    return out.read(0, what);
}

/* Each thread's piece: an odd number of elements, so that pieces lie apart in a cache. */
__device__ inline long long piece_of(long long n, int threads) { return ((n + threads - 1) / threads) | 1; }

template <bool INCLUSIVE, typename T, typename In, typename Out, typename Op>
__global__ void scan_kernel(long long n, In in, Out out, Op op, T initial, bool has_initial) {
    constexpr int SIZE = team<T>::size;
    __shared__ slots<T, SIZE> before;
    const int t = threadIdx.x;
    const long long piece = piece_of(n, SIZE), first = t * piece, end = first + piece < n ? first + piece : n;
    if (first < n) {
        T all = in(first);
        for (long long i = first + 1; i < end; i++) all = op(all, in(i));
        ::new ((void*)&before[t]) T(all);
    }
    __syncthreads();
    if (t == 0) {
        T all = has_initial ? static_cast<T>(op(initial, before[0])) : before[0];
        if (has_initial) before[0] = initial;
        for (int k = 1; k * piece < n; k++) {
            const T own = before[k];
            before[k] = all;
            all = op(all, own);
        }
    }
    __syncthreads();
    if (first >= n) return;
    long long i = first;
    if (INCLUSIVE) {
        T all = in(i);
        if (t > 0 || has_initial) all = op(before[t], all);
        out[i] = all;
        for (i++; i < end; i++) {
            all = op(all, in(i));
            out[i] = all;
        }
    } else {
        T all = before[t];
        for (; i < end; i++) {
            const T own = in(i);
            out[i] = all;
            all = op(all, own);
        }
    }
}
template <bool INCLUSIVE, typename T, typename P, typename In, typename Out, typename Op>
void scan_async(const P& p, long long n, In in, Out out, Op op, T initial, bool has_initial) {
    if (n > 0)
        scan_kernel<INCLUSIVE, T><<<1, team<T>::size, 0, p.cudair_stream()>>>(n, in, out, op, initial, has_initial);
}

/* Scans of runs of equal keys, each for itself. */
template <typename T> struct run_part {
    T all;
    bool cut;
};
template <bool INCLUSIVE, typename T, typename Keys, typename In, typename Out, typename Equal, typename Op>
__global__ void scan_by_key_kernel(long long n, Keys keys, In in, Out out, Equal equal, Op op, T initial) {
    constexpr int SIZE = team<T>::size;
    __shared__ slots<run_part<T>, SIZE> before;
    const int t = threadIdx.x;
    const long long piece = piece_of(n, SIZE), first = t * piece, end = first + piece < n ? first + piece : n;
    bool starts = true;
    if (first < n) {
        starts = first == 0 || !equal(keys[first - 1], keys[first]);
        bool cut = starts;
        T all = !INCLUSIVE && starts ? static_cast<T>(op(initial, in(first))) : in(first);
        for (long long i = first + 1; i < end; i++) {
            const T own = in(i);
            if (equal(keys[i - 1], keys[i])) {
                all = op(all, own);
            } else {
                all = INCLUSIVE ? own : static_cast<T>(op(initial, own));
                cut = true;
            }
        }
        ::new ((void*)&before[t]) run_part<T>{all, cut};
    }
    __syncthreads();
    if (t == 0) {
        T all = before[0].all;
        for (int k = 1; k * piece < n; k++) {
            const run_part<T> own = before[k];
            before[k].all = all;
            all = own.cut ? own.all : static_cast<T>(op(all, own.all));
        }
    }
    __syncthreads();
    if (first >= n) return;
    /* A piece that starts in the middle of a run goes on with what came before. */
    T all = starts ? initial : before[t].all;
    bool fresh = starts;
    for (long long i = first; i < end; i++) {
        const T own = in(i);
        if (i > first && !equal(keys[i - 1], keys[i])) {
            all = initial;
            fresh = true;
        }
        if (INCLUSIVE) {
            all = fresh ? own : static_cast<T>(op(all, own));
            out[i] = all;
        } else {
            out[i] = all;
            all = op(all, own);
        }
        fresh = false;
    }
}
template <bool INCLUSIVE, typename T, typename P, typename Keys, typename In, typename Out, typename Equal, typename Op>
void scan_by_key_async(const P& p, long long n, Keys keys, In in, Out out, Equal equal, Op op, T initial) {
    if (n > 0)
        scan_by_key_kernel<INCLUSIVE, T><<<1, team<T>::size, 0, p.cudair_stream()>>>(n, keys, in, out, equal, op, initial);
}

/* A key and a value for each run of equal keys; how many there are to `*count`. */
template <typename T> struct run_sum {
    T all;
    long long runs;
};
template <typename T, typename Count, typename Keys, typename In, typename KeysOut, typename Out, typename Equal, typename Op>
__global__ void reduce_by_key_kernel(long long n, Keys keys, In in, KeysOut keys_out, Out out, Equal equal, Op op, Count count) {
    constexpr int SIZE = team<T>::size;
    __shared__ slots<run_sum<T>, SIZE> before;
    const int t = threadIdx.x;
    const long long piece = piece_of(n, SIZE), first = t * piece, end = first + piece < n ? first + piece : n;
    bool starts = true;
    if (first < n) {
        starts = first == 0 || !equal(keys[first - 1], keys[first]);
        long long runs = starts;
        T all = in(first);
        for (long long i = first + 1; i < end; i++) {
            const T own = in(i);
            if (equal(keys[i - 1], keys[i])) {
                all = op(all, own);
            } else {
                all = own;
                runs++;
            }
        }
        ::new ((void*)&before[t]) run_sum<T>{all, runs};
    }
    __syncthreads();
    if (t == 0) {
        T all = before[0].all;
        long long runs = before[0].runs;
        before[0].runs = 0;
        for (int k = 1; k * piece < n; k++) {
            const run_sum<T> own = before[k];
            before[k].all = all;
            before[k].runs = runs;
            all = own.runs > 0 ? own.all : static_cast<T>(op(all, own.all));
            runs += own.runs;
        }
        *count = runs;
    }
    __syncthreads();
    if (first >= n) return;
    long long run = before[t].runs - 1;
    T all = in(first);
    if (starts) {
        run++;
        keys_out[run] = keys[first];
    } else {
        all = op(before[t].all, all);
    }
    for (long long i = first;;) {
        const bool ends = i + 1 == n || !equal(keys[i], keys[i + 1]);
        if (ends) out[run] = all;
        if (++i >= end) break;
        const T own = in(i);
        if (ends) {
            run++;
            keys_out[run] = keys[i];
            all = own;
        } else {
            all = op(all, own);
        }
    }
}

/* Goes along tiles. `what.is_kept(i)` is asked once for each element, in its thread, with what `what.take(i)` gave; then
   `what.keep(place, taken)` or `what.drop(place, taken)` may write, after all of the tile has been read. */
template <typename Choice, typename Count> __global__ void select_kernel(long long n, Choice what, Count count) {
    __shared__ int in_warp[THREADS / 32];
    const int t = threadIdx.x, warp = t / 32;
    long long kept = 0;
    for (long long start = 0; start < n; start += THREADS) {
        const long long i = start + t;
        const auto taken = what.take(i < n ? i : n - 1);
        const bool is_kept = i < n && what.is_kept(i, taken);
        const unsigned others = __ballot_sync(0xffffffffu, is_kept);
        if (t % 32 == 0) in_warp[warp] = __popc(others);
        __syncthreads();
        int before = __popc(others & ((1u << (t % 32)) - 1)), all = 0;
        for (int w = 0; w < THREADS / 32; w++) {
            const int own = in_warp[w];
            before += w < warp ? own : 0;
            all += own;
        }
        if (is_kept) what.keep(kept + before, taken);
        else if (i < n) what.drop(i - kept - before, taken);
        kept += all;
        __syncthreads();
    }
    if (t == 0) *count = kept;
}
/* How many were kept. */
template <typename P, typename Choice> long long select(const P& p, long long n, Choice what, const char* name) {
    if (n <= 0) return 0;
    temporary<long long, P> count(p, 1);
    select_kernel<<<1, int(THREADS), 0, p.cudair_stream()>>>(n, what, count.get());
    return count.read(0, name);
}

/* The first index at which a predicate holds, else n. */
template <typename Pred> __global__ void find_kernel(long long n, Pred pred, long long* found) {
    __shared__ unsigned first[THREADS / 32];
    const int t = threadIdx.x;
    for (long long start = 0; start < n; start += THREADS) {
        const bool holds = start + t < n && pred(start + t);
        const unsigned lanes = __ballot_sync(0xffffffffu, holds);
        if (t % 32 == 0) first[t / 32] = lanes;
        if (__syncthreads_or(holds)) {
            if (t == 0) {
                int w = 0;
                while (first[w] == 0) w++;
                *found = start + w * 32 + __ffs(first[w]) - 1;
            }
            return;
        }
        __syncthreads();
    }
    if (t == 0) *found = n;
}
template <typename P, typename Pred> long long find_index(const P& p, long long n, Pred pred, const char* what) {
    if (n <= 0) return 0;
    temporary<long long, P> found(p, 1);
    find_kernel<<<1, int(THREADS), 0, p.cudair_stream()>>>(n, pred, found.get());
    return found.read(0, what);
}

}
}

#endif
