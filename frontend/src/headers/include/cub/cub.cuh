/* CUB: reductions and scans of warps, of blocks and of the device; loads and stores of a block. What else CUB has is not
   there. The collectives need what CUB's do: storage that threads do not use again without a barrier between. */
#ifndef CUDAIR_CUB_H
#define CUDAIR_CUB_H

#include <cuda_runtime.h>
#include <iterator>
#include <limits>
#include <type_traits>
#include <utility>

#define CUB_NS_QUALIFIER ::cub
#define CUB_VERSION 200800
#define CUB_PTX_WARP_THREADS 32

namespace cub {

struct Sum {
    template <typename T, typename U>
    __host__ __device__ auto operator()(const T& a, const U& b) const -> decltype(a + b) { return a + b; }
};
struct Difference {
    template <typename T, typename U>
    __host__ __device__ auto operator()(const T& a, const U& b) const -> decltype(a - b) { return a - b; }
};
struct Max {
    template <typename T> __host__ __device__ T operator()(const T& a, const T& b) const { return a < b ? b : a; }
};
struct Min {
    template <typename T> __host__ __device__ T operator()(const T& a, const T& b) const { return b < a ? b : a; }
};
struct Equality {
    template <typename T> __host__ __device__ bool operator()(const T& a, const T& b) const { return a == b; }
};
struct NullType {};

__device__ inline unsigned LaneId() {
    return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32;
}
__device__ inline int RowMajorTid(int x, int y, int) {
    return (threadIdx.z * y + threadIdx.y) * x + threadIdx.x;
}

namespace detail {

/* A value of any type from `delta` lanes further down, or from a lane: as words, where it is no number. */
template <typename T, bool NUMBER = std::is_arithmetic<T>::value> struct Shuffle {
    template <typename F> __device__ static T by_words(const T& value, F shuffle) {
        unsigned words[(sizeof(T) + 3) / 4] = {};
        __builtin_memcpy(words, &value, sizeof(T));
        for (unsigned i = 0; i < (sizeof(T) + 3) / 4; i++) words[i] = shuffle(words[i]);
        T result;
        __builtin_memcpy(&result, words, sizeof(T));
        return result;
    }
    __device__ static T up(unsigned mask, const T& value, unsigned delta, int width) {
        return by_words(value, [=](unsigned w) { return __shfl_up_sync(mask, w, delta, width); });
    }
    __device__ static T from(unsigned mask, const T& value, int lane, int width) {
        return by_words(value, [=](unsigned w) { return __shfl_sync(mask, w, lane, width); });
    }
};
template <typename T> struct Shuffle<T, true> {
    typedef typename std::conditional<(sizeof(T) < 4), int, T>::type Wide;
    __device__ static T up(unsigned mask, T value, unsigned delta, int width) {
        return static_cast<T>(__shfl_up_sync(mask, static_cast<Wide>(value), delta, width));
    }
    __device__ static T from(unsigned mask, T value, int lane, int width) {
        return static_cast<T>(__shfl_sync(mask, static_cast<Wide>(value), lane, width));
    }
};

/* The lanes of a logical warp of `threads`, which begins at `first`. */
__device__ inline unsigned members(int threads, unsigned first) {
    return threads >= 32 ? 0xffffffffu : ((1u << threads) - 1) << first;
}

}

template <typename T, int LOGICAL_WARP_THREADS = 32> class WarpReduce {
    static_assert((LOGICAL_WARP_THREADS & (LOGICAL_WARP_THREADS - 1)) == 0 && LOGICAL_WARP_THREADS <= 32,
                  "cudair supports cub::WarpReduce of a power of two of lanes");

public:
    struct TempStorage {};
    __device__ WarpReduce(TempStorage&) {}

    template <typename Op> __device__ T Reduce(T input, Op op, int valid = LOGICAL_WARP_THREADS) {
        const int lane = LaneId() % LOGICAL_WARP_THREADS;
        const unsigned mask = detail::members(LOGICAL_WARP_THREADS, LaneId() - lane);
        return among(input, op, valid, lane, mask);
    }
    __device__ T Sum(T input, int valid = LOGICAL_WARP_THREADS) { return Reduce(input, cub::Sum(), valid); }

    /* The same where some lanes do not exist. */
    template <typename Op> __device__ static T among(T input, Op op, int valid, int lane, unsigned mask) {
        for (int delta = 1; delta < LOGICAL_WARP_THREADS; delta *= 2) {
            /* The last warp of a block may lack lanes. */
            const bool there = LOGICAL_WARP_THREADS < 32 || (lane + delta < 32 && (mask >> (lane + delta) & 1));
            const T other = detail::Shuffle<T>::from(mask, input, there ? lane + delta : lane, LOGICAL_WARP_THREADS);
            if (lane + delta < valid) input = op(input, other);
        }
        return input;
    }
};

template <typename T, int LOGICAL_WARP_THREADS = 32> class WarpScan {
    static_assert((LOGICAL_WARP_THREADS & (LOGICAL_WARP_THREADS - 1)) == 0 && LOGICAL_WARP_THREADS <= 32,
                  "cudair supports cub::WarpScan of a power of two of lanes");
    int lane;
    unsigned mask;

public:
    struct TempStorage {};
    __device__ WarpScan(TempStorage&)
        : lane(LaneId() % LOGICAL_WARP_THREADS), mask(detail::members(LOGICAL_WARP_THREADS, LaneId() - lane)) {}

    template <typename Op> __device__ static T among(T input, Op op, int lane, unsigned mask) {
        for (int delta = 1; delta < LOGICAL_WARP_THREADS; delta *= 2) {
            const T other = detail::Shuffle<T>::up(mask, input, delta, LOGICAL_WARP_THREADS);
            if (lane >= delta) input = op(other, input);
        }
        return input;
    }
    template <typename Op> __device__ void InclusiveScan(T input, T& output, Op op) { output = among(input, op, lane, mask); }
    template <typename Op> __device__ void InclusiveScan(T input, T& output, Op op, T& aggregate) {
        output = among(input, op, lane, mask);
        aggregate = detail::Shuffle<T>::from(mask, output, LOGICAL_WARP_THREADS - 1, LOGICAL_WARP_THREADS);
    }
    /* The first lane's output is not set where no value is given for it. */
    template <typename Op> __device__ void ExclusiveScan(T input, T& output, Op op) {
        const T inclusive = among(input, op, lane, mask);
        output = detail::Shuffle<T>::up(mask, inclusive, 1, LOGICAL_WARP_THREADS);
    }
    template <typename Op> __device__ void ExclusiveScan(T input, T& output, T initial, Op op) {
        ExclusiveScan(input, output, op);
        output = lane == 0 ? initial : op(initial, output);
    }
    template <typename Op> __device__ void ExclusiveScan(T input, T& output, T initial, Op op, T& aggregate) {
        T inclusive;
        InclusiveScan(input, inclusive, op, aggregate);
        const T before = detail::Shuffle<T>::up(mask, inclusive, 1, LOGICAL_WARP_THREADS);
        output = lane == 0 ? initial : op(initial, before);
    }
    __device__ void InclusiveSum(T input, T& output) { InclusiveScan(input, output, cub::Sum()); }
    __device__ void InclusiveSum(T input, T& output, T& aggregate) { InclusiveScan(input, output, cub::Sum(), aggregate); }
    __device__ void ExclusiveSum(T input, T& output) { ExclusiveScan(input, output, T{}, cub::Sum()); }
    __device__ void ExclusiveSum(T input, T& output, T& aggregate) {
        ExclusiveScan(input, output, T{}, cub::Sum(), aggregate);
    }
    __device__ T Broadcast(T input, unsigned from) {
        return detail::Shuffle<T>::from(mask, input, from, LOGICAL_WARP_THREADS);
    }
};

enum BlockReduceAlgorithm {
    BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
    BLOCK_REDUCE_RAKING,
    BLOCK_REDUCE_WARP_REDUCTIONS,
    BLOCK_REDUCE_WARP_REDUCTIONS_NONDETERMINISTIC
};
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm {
    BLOCK_LOAD_DIRECT,
    BLOCK_LOAD_STRIPED,
    BLOCK_LOAD_VECTORIZE,
    BLOCK_LOAD_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
    BLOCK_STORE_DIRECT,
    BLOCK_STORE_STRIPED,
    BLOCK_STORE_VECTORIZE,
    BLOCK_STORE_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

namespace detail {

/* What the collectives of a block share. */
template <int X, int Y, int Z> struct BlockShape {
    enum { THREADS = X * Y * Z, WARPS = (THREADS + 31) / 32 };
    int tid = RowMajorTid(X, Y, Z), warp = tid / 32, lane = tid % 32;
    int in_warp = THREADS - warp * 32 < 32 ? THREADS - warp * 32 : 32;
    unsigned mask = members(in_warp, 0);
    __device__ BlockShape() {}
};

}

/* The result is the first thread's alone. */
template <typename T, int BLOCK_DIM_X, BlockReduceAlgorithm ALGORITHM = BLOCK_REDUCE_WARP_REDUCTIONS, int BLOCK_DIM_Y = 1,
          int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockReduce {
    typedef detail::BlockShape<BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z> Shape;
    struct Storage {
        T partial[Shape::WARPS];
    };
    Storage& storage;
    __device__ static Storage& own() {
        __shared__ Storage shared;
        return shared;
    }

public:
    typedef Storage TempStorage;
    __device__ BlockReduce() : storage(own()) {}
    __device__ BlockReduce(TempStorage& temp) : storage(temp) {}

    template <typename Op> __device__ T Reduce(T input, Op op, int valid) {
        const Shape shape;
        const int left = valid - shape.warp * 32;
        T result = WarpReduce<T>::among(input, op, left < shape.in_warp ? left : shape.in_warp, shape.lane, shape.mask);
        if (shape.lane == 0) storage.partial[shape.warp] = result;
        __syncthreads();
        if (shape.tid == 0)
            for (int w = 1; w < Shape::WARPS && w * 32 < valid; w++) result = op(result, storage.partial[w]);
        return result;
    }
    template <typename Op> __device__ T Reduce(T input, Op op) { return Reduce(input, op, int(Shape::THREADS)); }
    template <int N, typename Op> __device__ T Reduce(T (&inputs)[N], Op op) {
        T all = inputs[0];
        for (int i = 1; i < N; i++) all = op(all, inputs[i]);
        return Reduce(all, op);
    }
    __device__ T Sum(T input) { return Reduce(input, cub::Sum()); }
    __device__ T Sum(T input, int valid) { return Reduce(input, cub::Sum(), valid); }
    template <int N> __device__ T Sum(T (&inputs)[N]) { return Reduce(inputs, cub::Sum()); }
};

template <typename T, int BLOCK_DIM_X, BlockScanAlgorithm ALGORITHM = BLOCK_SCAN_RAKING, int BLOCK_DIM_Y = 1,
          int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockScan {
    typedef detail::BlockShape<BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z> Shape;
    struct Storage {
        T partial[Shape::WARPS];
        T prefix;
    };
    Storage& storage;
    __device__ static Storage& own() {
        __shared__ Storage shared;
        return shared;
    }
    /* All up to the thread's own input, all before it (not of the first thread), and all. */
    template <typename Op> __device__ void scan(T input, Op op, T& inclusive, T& before, T& aggregate) {
        const Shape shape;
        inclusive = WarpScan<T>::among(input, op, shape.lane, shape.mask);
        before = detail::Shuffle<T>::up(shape.mask, inclusive, 1, 32);
        if (shape.lane == shape.in_warp - 1) storage.partial[shape.warp] = inclusive;
        __syncthreads();
        aggregate = storage.partial[0];
        for (int w = 1; w < Shape::WARPS; w++) {
            if (w == shape.warp) {
                inclusive = op(aggregate, inclusive);
                before = shape.lane == 0 ? aggregate : op(aggregate, before);
            }
            aggregate = op(aggregate, storage.partial[w]);
        }
    }
    /* What a functor of the caller's gives for the block's aggregate, asked by the first warp. */
    template <typename F> __device__ T prefix_of(F& functor, const T& aggregate) {
        const Shape shape;
        if (shape.warp == 0) {
            const T prefix = functor(aggregate);
            if (shape.tid == 0) storage.prefix = prefix;
        }
        __syncthreads();
        return storage.prefix;
    }
    template <int N, typename Op> __device__ static T fold(T (&inputs)[N], Op op) {
        T all = inputs[0];
        for (int i = 1; i < N; i++) all = op(all, inputs[i]);
        return all;
    }

public:
    typedef Storage TempStorage;
    __device__ BlockScan() : storage(own()) {}
    __device__ BlockScan(TempStorage& temp) : storage(temp) {}

    template <typename Op> __device__ void InclusiveScan(T input, T& output, Op op, T& aggregate) {
        T inclusive, before;
        scan(input, op, inclusive, before, aggregate);
        output = inclusive;
    }
    template <typename Op> __device__ void InclusiveScan(T input, T& output, Op op) {
        T aggregate;
        InclusiveScan(input, output, op, aggregate);
    }
    template <typename Op> __device__ void ExclusiveScan(T input, T& output, T initial, Op op, T& aggregate) {
        T inclusive, before;
        scan(input, op, inclusive, before, aggregate);
        output = Shape().tid == 0 ? initial : op(initial, before);
    }
    template <typename Op> __device__ void ExclusiveScan(T input, T& output, T initial, Op op) {
        T aggregate;
        ExclusiveScan(input, output, initial, op, aggregate);
    }
    __device__ void InclusiveSum(T input, T& output) { InclusiveScan(input, output, cub::Sum()); }
    __device__ void InclusiveSum(T input, T& output, T& aggregate) { InclusiveScan(input, output, cub::Sum(), aggregate); }
    __device__ void ExclusiveSum(T input, T& output) { ExclusiveScan(input, output, T{}, cub::Sum()); }
    __device__ void ExclusiveSum(T input, T& output, T& aggregate) {
        ExclusiveScan(input, output, T{}, cub::Sum(), aggregate);
    }
    /* With a functor that gives what stands before the block's inputs. */
    template <typename F, typename = decltype(std::declval<F&>()(std::declval<T>()))>
    __device__ void InclusiveSum(T input, T& output, F& prefix) {
        T inclusive, before, aggregate;
        scan(input, cub::Sum(), inclusive, before, aggregate);
        output = prefix_of(prefix, aggregate) + inclusive;
    }
    template <typename F, typename = decltype(std::declval<F&>()(std::declval<T>()))>
    __device__ void ExclusiveSum(T input, T& output, F& prefix) {
        T inclusive, before, aggregate;
        scan(input, cub::Sum(), inclusive, before, aggregate);
        const T first = prefix_of(prefix, aggregate);
        output = Shape().tid == 0 ? first : first + before;
    }
    /* Several inputs of each thread, which follow each other. */
    template <int N, typename Op> __device__ void InclusiveScan(T (&inputs)[N], T (&outputs)[N], Op op, T& aggregate) {
        T inclusive, before;
        scan(fold(inputs, op), op, inclusive, before, aggregate);
        T all = Shape().tid == 0 ? inputs[0] : op(before, inputs[0]);
        for (int i = 0; i < N; i++) {
            const T mine = all;
            if (i + 1 < N) all = op(all, inputs[i + 1]);
            outputs[i] = mine;
        }
    }
    template <int N, typename Op> __device__ void InclusiveScan(T (&inputs)[N], T (&outputs)[N], Op op) {
        T aggregate;
        InclusiveScan(inputs, outputs, op, aggregate);
    }
    template <int N, typename Op>
    __device__ void ExclusiveScan(T (&inputs)[N], T (&outputs)[N], T initial, Op op, T& aggregate) {
        T inclusive, before;
        scan(fold(inputs, op), op, inclusive, before, aggregate);
        T all = Shape().tid == 0 ? initial : op(initial, before);
        for (int i = 0; i < N; i++) {
            const T input = inputs[i];
            outputs[i] = all;
            all = op(all, input);
        }
    }
    template <int N, typename Op> __device__ void ExclusiveScan(T (&inputs)[N], T (&outputs)[N], T initial, Op op) {
        T aggregate;
        ExclusiveScan(inputs, outputs, initial, op, aggregate);
    }
    template <int N> __device__ void InclusiveSum(T (&inputs)[N], T (&outputs)[N]) {
        InclusiveScan(inputs, outputs, cub::Sum());
    }
    template <int N> __device__ void InclusiveSum(T (&inputs)[N], T (&outputs)[N], T& aggregate) {
        InclusiveScan(inputs, outputs, cub::Sum(), aggregate);
    }
    template <int N> __device__ void ExclusiveSum(T (&inputs)[N], T (&outputs)[N]) {
        ExclusiveScan(inputs, outputs, T{}, cub::Sum());
    }
    template <int N> __device__ void ExclusiveSum(T (&inputs)[N], T (&outputs)[N], T& aggregate) {
        ExclusiveScan(inputs, outputs, T{}, cub::Sum(), aggregate);
    }
};

template <typename T, int BLOCK_DIM_X, int ITEMS, BlockLoadAlgorithm ALGORITHM = BLOCK_LOAD_DIRECT, int BLOCK_DIM_Y = 1,
          int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockLoad {
    __device__ static int place(int i) {
        const int tid = RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z);
        return ALGORITHM == BLOCK_LOAD_STRIPED ? tid + i * BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z : tid * ITEMS + i;
    }

public:
    struct TempStorage {};
    __device__ BlockLoad() {}
    __device__ BlockLoad(TempStorage&) {}
    template <typename It> __device__ void Load(It from, T (&items)[ITEMS]) {
        for (int i = 0; i < ITEMS; i++) items[i] = from[place(i)];
    }
    template <typename It> __device__ void Load(It from, T (&items)[ITEMS], int valid) {
        for (int i = 0; i < ITEMS; i++)
            if (place(i) < valid) items[i] = from[place(i)];
    }
    template <typename It, typename D> __device__ void Load(It from, T (&items)[ITEMS], int valid, D other) {
        for (int i = 0; i < ITEMS; i++) items[i] = place(i) < valid ? from[place(i)] : static_cast<T>(other);
    }
};

template <typename T, int BLOCK_DIM_X, int ITEMS, BlockStoreAlgorithm ALGORITHM = BLOCK_STORE_DIRECT, int BLOCK_DIM_Y = 1,
          int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockStore {
    __device__ static int place(int i) {
        const int tid = RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z);
        return ALGORITHM == BLOCK_STORE_STRIPED ? tid + i * BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z : tid * ITEMS + i;
    }

public:
    struct TempStorage {};
    __device__ BlockStore() {}
    __device__ BlockStore(TempStorage&) {}
    template <typename It> __device__ void Store(It to, T (&items)[ITEMS]) {
        for (int i = 0; i < ITEMS; i++) to[place(i)] = items[i];
    }
    template <typename It> __device__ void Store(It to, T (&items)[ITEMS], int valid) {
        for (int i = 0; i < ITEMS; i++)
            if (place(i) < valid) to[place(i)] = items[i];
    }
};

namespace detail {

enum { DEVICE_THREADS = 256 };

/* One block goes along the input: what counts here is the result, not the time. */
template <typename In, typename Out, typename Op, typename T>
__global__ void device_reduce(In in, Out out, long long n, Op op, T initial) {
    typedef BlockReduce<T, DEVICE_THREADS> Reduction;
    __shared__ typename Reduction::TempStorage storage;
    T all = initial;
    for (long long at = 0; at < n; at += DEVICE_THREADS) {
        const long long i = at + threadIdx.x;
        const int valid = n - at < DEVICE_THREADS ? int(n - at) : int(DEVICE_THREADS);
        const T part = Reduction(storage).Reduce(i < n ? static_cast<T>(in[i]) : initial, op, valid);
        if (threadIdx.x == 0) all = op(all, part);
        __syncthreads();
    }
    if (threadIdx.x == 0) *out = all;
}

template <bool INCLUSIVE, typename In, typename Out, typename Op, typename T>
__global__ void device_scan(In in, Out out, long long n, Op op, T initial, bool has_initial) {
    typedef BlockScan<T, DEVICE_THREADS> Scan;
    __shared__ typename Scan::TempStorage storage;
    T before = initial;
    for (long long at = 0; at < n; at += DEVICE_THREADS) {
        const long long i = at + threadIdx.x;
        const T input = static_cast<T>(in[i < n ? i : n - 1]);
        T output, aggregate;
        const bool first = at == 0 && !has_initial;
        if (INCLUSIVE) {
            Scan(storage).InclusiveScan(input, output, op, aggregate);
            if (!first) output = op(before, output);
        } else {
            Scan(storage).ExclusiveScan(input, output, before, op, aggregate);
        }
        before = first ? aggregate : op(before, aggregate);
        if (i < n) out[i] = output;
        __syncthreads();
    }
}

/* The first of two calls asks how many bytes are needed. */
inline bool asks(void* temp, size_t& bytes) {
    if (temp == nullptr) bytes = 1;
    return temp == nullptr;
}

template <typename It> using Value = typename std::iterator_traits<It>::value_type;

}

struct DeviceReduce {
    template <typename In, typename Out, typename N, typename Op, typename T>
    static cudaError_t Reduce(void* temp, size_t& bytes, In in, Out out, N n, Op op, T initial, cudaStream_t stream = 0) {
        if (detail::asks(temp, bytes)) return cudaSuccess;
        detail::device_reduce<<<1, int(detail::DEVICE_THREADS), 0, stream>>>(in, out, (long long)n, op, initial);
        return cudaPeekAtLastError();
    }
    template <typename In, typename Out, typename N>
    static cudaError_t Sum(void* temp, size_t& bytes, In in, Out out, N n, cudaStream_t stream = 0) {
        return Reduce(temp, bytes, in, out, n, cub::Sum(), detail::Value<In>(), stream);
    }
    template <typename In, typename Out, typename N>
    static cudaError_t Max(void* temp, size_t& bytes, In in, Out out, N n, cudaStream_t stream = 0) {
        return Reduce(temp, bytes, in, out, n, cub::Max(), std::numeric_limits<detail::Value<In>>::lowest(), stream);
    }
    template <typename In, typename Out, typename N>
    static cudaError_t Min(void* temp, size_t& bytes, In in, Out out, N n, cudaStream_t stream = 0) {
        return Reduce(temp, bytes, in, out, n, cub::Min(), std::numeric_limits<detail::Value<In>>::max(), stream);
    }
};

struct DeviceScan {
    template <typename In, typename Out, typename Op, typename T, typename N>
    static cudaError_t ExclusiveScan(void* temp, size_t& bytes, In in, Out out, Op op, T initial, N n,
                                     cudaStream_t stream = 0) {
        if (detail::asks(temp, bytes)) return cudaSuccess;
        if (n > 0)
            detail::device_scan<false><<<1, int(detail::DEVICE_THREADS), 0, stream>>>(in, out, (long long)n, op, initial, true);
        return cudaPeekAtLastError();
    }
    template <typename In, typename Out, typename Op, typename N>
    static cudaError_t InclusiveScan(void* temp, size_t& bytes, In in, Out out, Op op, N n, cudaStream_t stream = 0) {
        if (detail::asks(temp, bytes)) return cudaSuccess;
        if (n > 0)
            detail::device_scan<true><<<1, int(detail::DEVICE_THREADS), 0, stream>>>(in, out, (long long)n, op,
                                                                                    detail::Value<In>(), false);
        return cudaPeekAtLastError();
    }
    template <typename In, typename Out, typename N>
    static cudaError_t ExclusiveSum(void* temp, size_t& bytes, In in, Out out, N n, cudaStream_t stream = 0) {
        return ExclusiveScan(temp, bytes, in, out, cub::Sum(), detail::Value<In>(), n, stream);
    }
    template <typename In, typename Out, typename N>
    static cudaError_t InclusiveSum(void* temp, size_t& bytes, In in, Out out, N n, cudaStream_t stream = 0) {
        return InclusiveScan(temp, bytes, in, out, cub::Sum(), n, stream);
    }
};

}

#endif
