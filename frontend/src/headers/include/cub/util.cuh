/* What all of CUB uses: its functors, types of values, modifiers of accesses, and how errors are told. */
#ifndef CUDAIR_CUB_UTIL_H
#define CUDAIR_CUB_UTIL_H

#if __cplusplus < 201402L
#error "cudair: Thrust and CUB under C++11: -std=c++14 is the oldest that its headers take"
#endif
#include <cstdio>
#include <cuda_runtime.h>
#include <iterator>
#include <limits>
#include <type_traits>
#include <utility>

#define CUB_NS_QUALIFIER ::cub
#define CUB_NAMESPACE_BEGIN namespace cub {
#define CUB_NAMESPACE_END }
#define CUB_VERSION 200802
#define CUB_MAJOR_VERSION 2
#define CUB_MINOR_VERSION 8
#define CUB_SUBMINOR_VERSION 2
#define CUB_PTX_WARP_THREADS 32
#define CUB_WARP_THREADS(unused) 32
#define CUB_LOG_WARP_THREADS(unused) 5
#define CUB_PTX_LOG_WARP_THREADS 5
#define CUB_MAX(a, b) (((b) > (a)) ? (b) : (a))
#define CUB_MIN(a, b) (((b) < (a)) ? (b) : (a))
#define CUB_QUOTIENT_CEILING(x, y) (((x) + (y) - 1) / (y))
#define CUB_QUOTIENT_FLOOR(x, y) ((x) / (y))
#define CUB_ROUND_UP_NEAREST(x, y) ((((x) + (y) - 1) / (y)) * (y))
#define CUB_ROUND_DOWN_NEAREST(x, y) (((x) / (y)) * (y))
#define CUB_IS_INT128_ENABLED 1
#define CUB_RUNTIME_FUNCTION __host__ __device__
#define CUB_STATIC_ASSERT(condition, text) static_assert(condition, text)
#define CUB_RUNTIME_ENABLED
#define _CubLog(format, ...) printf(format, ##__VA_ARGS__)
#define CubDebug(e) CUB_NS_QUALIFIER::Debug((cudaError_t)(e), __FILE__, __LINE__)
#define CubDebugExit(e)                                                                                                 \
    if (CUB_NS_QUALIFIER::Debug((cudaError_t)(e), __FILE__, __LINE__)) exit(1)

namespace cub {

/* Tells of an error where there is one, and gives it on. */
__host__ __device__ inline cudaError_t Debug(cudaError_t error, const char* file, int line) {
    if (error != cudaSuccess) {
        if (__cudair_on_device()) {
            printf("CUDA error %d [block (%u,%u,%u) thread (%u,%u,%u), %s, %d]\n", (int)error, blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x,
                   threadIdx.y, threadIdx.z, file, line);
        } else {
            fprintf(stderr, "CUDA error %d [%s, %d]: %s\n", (int)error, file, line, cudaGetErrorString(error));
            fflush(stderr);
        }
    }
    return error;
}

struct NullType {
    template <typename T> __host__ __device__ NullType& operator=(const T&) { return *this; }
    __host__ __device__ bool operator==(const NullType&) const { return true; }
    __host__ __device__ bool operator!=(const NullType&) const { return false; }
};
template <int A> struct Int2Type {
    enum { VALUE = A };
};
template <typename A, typename B> struct Equals : std::is_same<A, B> {
    enum { VALUE = std::is_same<A, B>::value, NEGATE = !std::is_same<A, B>::value };
};
template <bool IF, typename Then, typename Else> struct If {
    typedef typename std::conditional<IF, Then, Else>::type Type;
};
template <int N, int CURRENT = N, int COUNT = 0> struct Log2 {
    enum { VALUE = Log2<N, (CURRENT >> 1), COUNT + 1>::VALUE };
};
template <int N, int COUNT> struct Log2<N, 0, COUNT> {
    enum { VALUE = (1 << (COUNT - 1) < N) ? COUNT : COUNT - 1 };
};
template <int N> struct PowerOfTwo {
    enum { VALUE = ((N & (N - 1)) == 0) };
};
template <typename A, typename B> __host__ __device__ constexpr auto DivideAndRoundUp(A n, B d) -> decltype(n / d) { return n / d + (n % d != 0 ? 1 : 0); }

enum Category { NOT_A_NUMBER, SIGNED_INTEGER, UNSIGNED_INTEGER, FLOATING_POINT };
namespace detail {
template <size_t BYTES> struct bits_of {
    typedef NullType type;
};
template <> struct bits_of<1> {
    typedef unsigned char type;
};
template <> struct bits_of<2> {
    typedef unsigned short type;
};
template <> struct bits_of<4> {
    typedef unsigned type;
};
template <> struct bits_of<8> {
    typedef unsigned long long type;
};
}
template <typename T, bool NUMBER = std::is_arithmetic<T>::value> struct NumericTraits {
    static constexpr Category CATEGORY = NOT_A_NUMBER;
    enum { PRIMITIVE = false, NULL_TYPE = std::is_same<T, NullType>::value };
};
template <typename T> struct NumericTraits<T, true> {
    typedef typename detail::bits_of<sizeof(T)>::type UnsignedBits;
    static constexpr Category CATEGORY = std::is_floating_point<T>::value ? FLOATING_POINT
                                         : std::is_signed<T>::value         ? SIGNED_INTEGER
                                                                            : UNSIGNED_INTEGER;
    enum { PRIMITIVE = true, NULL_TYPE = false };
    static constexpr UnsignedBits HIGH_BIT = UnsignedBits(UnsignedBits(1) << (8 * sizeof(T) - 1));
    static constexpr UnsignedBits LOWEST_KEY = CATEGORY == FLOATING_POINT ? UnsignedBits(-1) : CATEGORY == SIGNED_INTEGER ? HIGH_BIT : UnsignedBits(0);
    static constexpr UnsignedBits MAX_KEY =
        CATEGORY == UNSIGNED_INTEGER ? UnsignedBits(-1) : UnsignedBits(UnsignedBits(-1) ^ HIGH_BIT);
    /* The bits in the order of numbers, and back. */
    __host__ __device__ static UnsignedBits TwiddleIn(UnsignedBits key) {
        if (CATEGORY == FLOATING_POINT) return key ^ (key & HIGH_BIT ? UnsignedBits(-1) : HIGH_BIT);
        return CATEGORY == SIGNED_INTEGER ? key ^ HIGH_BIT : key;
    }
    __host__ __device__ static UnsignedBits TwiddleOut(UnsignedBits key) {
        if (CATEGORY == FLOATING_POINT) return key ^ (key & HIGH_BIT ? HIGH_BIT : UnsignedBits(-1));
        return CATEGORY == SIGNED_INTEGER ? key ^ HIGH_BIT : key;
    }
    __host__ __device__ static constexpr T Max() { return std::numeric_limits<T>::max(); }
    __host__ __device__ static constexpr T Lowest() { return std::numeric_limits<T>::lowest(); }
};
template <typename T> struct Traits : NumericTraits<typename std::remove_cv<T>::type> {};
template <typename T> struct FpLimits {
    __host__ __device__ static constexpr T Max() { return std::numeric_limits<T>::max(); }
    __host__ __device__ static constexpr T Lowest() { return std::numeric_limits<T>::lowest(); }
};

/* Functors. */
struct Sum {
    template <typename T, typename U> __host__ __device__ auto operator()(const T& a, const U& b) const -> decltype(a + b) { return a + b; }
};
struct Difference {
    template <typename T, typename U> __host__ __device__ auto operator()(const T& a, const U& b) const -> decltype(a - b) { return a - b; }
};
struct Division {
    template <typename T, typename U> __host__ __device__ auto operator()(const T& a, const U& b) const -> decltype(a / b) { return a / b; }
};
struct Max {
    template <typename T, typename U>
    __host__ __device__ typename std::common_type<T, U>::type operator()(const T& a, const U& b) const { return a < b ? b : a; }
};
struct Min {
    template <typename T, typename U>
    __host__ __device__ typename std::common_type<T, U>::type operator()(const T& a, const U& b) const { return b < a ? b : a; }
};
struct Equality {
    template <typename T, typename U> __host__ __device__ bool operator()(const T& a, const U& b) const { return a == b; }
};
struct Inequality {
    template <typename T, typename U> __host__ __device__ bool operator()(const T& a, const U& b) const { return a != b; }
};
template <typename Op> struct InequalityWrapper {
    Op op;
    __host__ __device__ InequalityWrapper(Op o) : op(o) {}
    template <typename T, typename U> __host__ __device__ bool operator()(const T& a, const U& b) { return !op(a, b); }
};
template <typename B> struct CastOp {
    template <typename A> __host__ __device__ B operator()(const A& a) const { return static_cast<B>(a); }
};
template <typename Op> class SwizzleScanOp {
    Op op;

public:
    __host__ __device__ SwizzleScanOp(Op o) : op(o) {}
    template <typename T> __host__ __device__ T operator()(const T& a, const T& b) { return op(b, a); }
};

template <typename K, typename V> struct KeyValuePair {
    typedef K Key;
    typedef V Value;
    K key;
    V value;
    __host__ __device__ KeyValuePair() {}
    __host__ __device__ KeyValuePair(const K& k, const V& v) : key(k), value(v) {}
    __host__ __device__ bool operator==(const KeyValuePair& b) const { return key == b.key && value == b.value; }
    __host__ __device__ bool operator!=(const KeyValuePair& b) const { return !(*this == b); }
};
/* The pair of the greater, or lesser, value; of equal ones that of the lower key. */
struct ArgMax {
    template <typename K, typename T>
    __host__ __device__ KeyValuePair<K, T> operator()(const KeyValuePair<K, T>& a, const KeyValuePair<K, T>& b) const {
        return b.value > a.value || (a.value == b.value && b.key < a.key) ? b : a;
    }
};
struct ArgMin {
    template <typename K, typename T>
    __host__ __device__ KeyValuePair<K, T> operator()(const KeyValuePair<K, T>& a, const KeyValuePair<K, T>& b) const {
        return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a;
    }
};
template <typename Op> struct ReduceByKeyOp {
    Op op;
    __host__ __device__ ReduceByKeyOp() {}
    __host__ __device__ ReduceByKeyOp(Op o) : op(o) {}
    template <typename Pair> __host__ __device__ Pair operator()(const Pair& a, const Pair& b) {
        Pair result = b;
        if (a.key == b.key) result.value = op(a.value, b.value);
        return result;
    }
};
template <typename Op> struct ReduceBySegmentOp {
    Op op;
    __host__ __device__ ReduceBySegmentOp() {}
    __host__ __device__ ReduceBySegmentOp(Op o) : op(o) {}
    template <typename Pair> __host__ __device__ Pair operator()(const Pair& a, const Pair& b) {
        Pair result;
        result.key = a.key + b.key;
        result.value = b.key ? b.value : op(a.value, b.value);
        return result;
    }
};

/* Two buffers of which one is current. */
template <typename T> struct DoubleBuffer {
    T* d_buffers[2];
    int selector;
    __host__ __device__ DoubleBuffer() : d_buffers{nullptr, nullptr}, selector(0) {}
    __host__ __device__ DoubleBuffer(T* current, T* alternate) : d_buffers{current, alternate}, selector(0) {}
    __host__ __device__ T* Current() { return d_buffers[selector]; }
    __host__ __device__ T* Alternate() { return d_buffers[selector ^ 1]; }
};
/* Room for a value without one. */
template <typename T> struct Uninitialized {
    alignas(T) unsigned char storage[sizeof(T)];
    __host__ __device__ T& Alias() { return reinterpret_cast<T&>(*this); }
};

/* Accesses: how a cache takes them makes no difference here, only whether they are volatile. */
enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };
template <CacheLoadModifier MODIFIER = LOAD_DEFAULT, typename It>
__device__ typename std::iterator_traits<It>::value_type ThreadLoad(It it) {
    typedef typename std::iterator_traits<It>::value_type T;
    if constexpr ((MODIFIER == LOAD_VOLATILE || MODIFIER == LOAD_CV) && std::is_pointer<It>::value && std::is_arithmetic<T>::value)
        return *const_cast<const volatile T*>(&*it);
    else
        return *it;
}
template <CacheStoreModifier MODIFIER = STORE_DEFAULT, typename It, typename T> __device__ void ThreadStore(It it, T value) {
    if constexpr (MODIFIER == STORE_VOLATILE && std::is_pointer<It>::value && std::is_arithmetic<T>::value)
        *const_cast<volatile typename std::remove_pointer<It>::type*>(it) = value;
    else
        *it = value;
}

/* Places in warps and blocks. */
__device__ inline unsigned LaneId() { return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32; }
__device__ inline unsigned WarpId() { return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) / 32; }
__device__ inline int RowMajorTid(int x, int y, int) { return (threadIdx.z * y + threadIdx.y) * x + threadIdx.x; }
__device__ inline unsigned LaneMaskLt() { return (1u << LaneId()) - 1; }
__device__ inline unsigned LaneMaskLe() { return LaneMaskLt() | 1u << LaneId(); }
__device__ inline unsigned LaneMaskGe() { return ~LaneMaskLt(); }
__device__ inline unsigned LaneMaskGt() { return ~LaneMaskLe(); }
__device__ inline void WARP_SYNC(unsigned mask) { __syncwarp(mask); }
__device__ inline void CTA_SYNC() { __syncthreads(); }
__device__ inline int CTA_SYNC_AND(int p) { return __syncthreads_and(p); }
__device__ inline int CTA_SYNC_OR(int p) { return __syncthreads_or(p); }
__device__ inline int WARP_ANY(int p, unsigned mask) { return __any_sync(mask, p); }
__device__ inline int WARP_ALL(int p, unsigned mask) { return __all_sync(mask, p); }
__device__ inline int WARP_BALLOT(int p, unsigned mask) { return __ballot_sync(mask, p); }
__device__ inline unsigned BFE(unsigned source, unsigned start, unsigned bits) { return (source >> start) & ((1u << bits) - 1); }
template <int LOGICAL_WARP_THREADS> __host__ __device__ inline unsigned WarpMask(unsigned warp_id) {
    const unsigned mask = LOGICAL_WARP_THREADS >= 32 ? 0xffffffffu : (1u << (LOGICAL_WARP_THREADS % 32)) - 1;
    return PowerOfTwo<LOGICAL_WARP_THREADS>::VALUE && LOGICAL_WARP_THREADS < 32 ? mask << (warp_id * LOGICAL_WARP_THREADS) : mask;
}

/* What a device is compiled for. */
inline cudaError_t SmVersion(int& version, int device = -1) {
    if (device < 0)
        if (const cudaError_t error = cudaGetDevice(&device)) return error;
    int major = 0, minor = 0;
    if (const cudaError_t error = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device)) return error;
    const cudaError_t error = cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device);
    version = major * 100 + minor * 10;
    return error;
}
inline cudaError_t PtxVersion(int& version, int device = -1) { return SmVersion(version, device); }
inline int CurrentDevice() {
    int device = -1;
    return cudaGetDevice(&device) == cudaSuccess ? device : -1;
}
inline int DeviceCount() {
    int count = -1;
    return cudaGetDeviceCount(&count) == cudaSuccess ? count : -1;
}
__host__ __device__ inline cudaError_t SyncStream(cudaStream_t stream) {
    if (__cudair_on_device()) {
        return cudaErrorNotSupported;
    } else {
        return cudaStreamSynchronize(stream);
    }
}
template <typename Kernel> cudaError_t MaxSmOccupancy(int& blocks, Kernel kernel, int threads, int dynamic_shared = 0) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, dynamic_shared);
}

namespace detail {
template <typename It> using Value = typename std::iterator_traits<It>::value_type;
template <typename It, typename Other>
using ValueOr = typename std::conditional<std::is_void<typename std::iterator_traits<It>::value_type>::value, Other,
                                          typename std::iterator_traits<It>::value_type>::type;
template <typename Op, typename A, typename B>
using Accumulator = typename std::decay<decltype(std::declval<Op&>()(std::declval<A>(), std::declval<B>()))>::type;
}

/* Of one thread's array. */
template <int LENGTH, typename T, typename Op> __device__ T ThreadReduce(T* input, Op op, T prefix) {
    T all = prefix;
    for (int i = 0; i < LENGTH; i++) all = op(all, input[i]);
    return all;
}
template <int LENGTH, typename T, typename Op> __device__ T ThreadReduce(T* input, Op op) {
    T all = input[0];
    for (int i = 1; i < LENGTH; i++) all = op(all, input[i]);
    return all;
}
template <int LENGTH, typename T, typename Op> __device__ T ThreadReduce(const T (&input)[LENGTH], Op op) {
    T all = input[0];
    for (int i = 1; i < LENGTH; i++) all = op(all, input[i]);
    return all;
}
template <int LENGTH, typename T, typename Op> __device__ T ThreadReduce(const T (&input)[LENGTH], Op op, T prefix) {
    T all = prefix;
    for (int i = 0; i < LENGTH; i++) all = op(all, input[i]);
    return all;
}
/* Where a sorted list would take a value. */
template <typename It, typename N, typename T> __device__ N LowerBound(It it, N n, T value) {
    N low = 0;
    while (n > 0) {
        const N half = n / 2;
        if (it[low + half] < value) {
            low += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    return low;
}
template <typename It, typename N, typename T> __device__ N UpperBound(It it, N n, T value) {
    N low = 0;
    while (n > 0) {
        const N half = n / 2;
        if (value < it[low + half]) {
            n = half;
        } else {
            low += half + 1;
            n -= half + 1;
        }
    }
    return low;
}

}

#endif
