/* What all of Thrust stands on: systems, execution policies, how iterators become what kernels go along, memory for
   the time of an algorithm, and the kernel that calls a function for each index.

   An algorithm of the device is one or a few launches. Its functors run in device code and are checked there; what its
   own code does wrong (ranges that are too short) is told at the call in the program. In device code, and under
   thrust::host and thrust::seq, algorithms are loops. */
#ifndef CUDAIR_THRUST_CORE_H
#define CUDAIR_THRUST_CORE_H

#include <cstddef>
#include <cuda_runtime.h>
#include <iterator>
#include <new>
#include <thrust/detail/tuple.h>
#include <thrust/system_error.h>
#include <thrust/version.h>
#include <type_traits>
#include <utility>

#define __CUDAIR_HD __host__ __device__ inline

/* Both ways of an algorithm under a policy: on the device's system, and as a loop. The loop of a policy of the device is of
   device code alone, since its functors are. */
#define __CUDAIR_THRUST_RUN(P, on_device_system, ...)                                                                   \
    if constexpr (::thrust::detail::is_device_policy<P>::value) {                                                       \
        if (__cudair_on_device()) {                                                                                     \
            auto loop = [&]() __attribute__((device)) { return __VA_ARGS__; };                                          \
            return __cudair_here<decltype(loop())>(noexcept(loop()));                                                   \
        } else {                                                                                                        \
            return on_device_system;                                                                                    \
        }                                                                                                               \
    } else {                                                                                                            \
        return __VA_ARGS__;                                                                                             \
    }

namespace thrust {

using std::swap;
using std::size_t;
using std::ptrdiff_t;

struct use_default {};

struct host_system_tag {};
struct device_system_tag {};
struct any_system_tag {};
namespace system {
namespace cuda {
using tag = device_system_tag;
}
namespace cpp {
using tag = host_system_tag;
}
}

struct random_access_traversal_tag {};
struct bidirectional_traversal_tag {};
struct forward_traversal_tag {};
struct single_pass_traversal_tag {};
struct incrementable_traversal_tag {};
typedef std::random_access_iterator_tag random_access_host_iterator_tag;
typedef std::random_access_iterator_tag random_access_device_iterator_tag;

/* Policies. */

namespace detail {

template <typename Derived> struct execution_policy_base {};
template <typename P> __CUDAIR_HD const P& self(const execution_policy_base<P>& p) { return static_cast<const P&>(p); }

}

template <typename Derived> struct host_execution_policy : detail::execution_policy_base<Derived> {
    typedef host_system_tag cudair_system;
};
template <typename Derived> struct device_execution_policy : detail::execution_policy_base<Derived> {
    typedef device_system_tag cudair_system;
    cudaStream_t cudair_stream() const { return 0; }
    bool cudair_waits() const { return true; }
    void* cudair_get(size_t bytes) const {
        void* memory = nullptr;
        if (const cudaError_t error = cudaMalloc(&memory, bytes)) {
            cudaGetLastError();
            throw system::detail::bad_alloc(cuda_category().message(error));
        }
        return memory;
    }
    void cudair_put(void* memory, size_t) const { cudaFree(memory); }
};

namespace detail {

template <typename P> struct is_device_policy : std::is_same<typename P::cudair_system, device_system_tag> {};

struct host_policy : host_execution_policy<host_policy> {
    template <typename Allocator> host_policy operator()(Allocator&&) const { return *this; }
};
struct seq_policy : host_execution_policy<seq_policy> {
    template <typename Allocator> __host__ __device__ seq_policy operator()(Allocator&&) const { return *this; }
};

template <typename Allocator> struct allocating_policy;

struct device_policy : device_execution_policy<device_policy> {
    cudaStream_t stream_ = 0;
    bool waits_ = true;

    constexpr __host__ __device__ device_policy() {}
    constexpr __host__ __device__ device_policy(cudaStream_t stream, bool waits) : stream_(stream), waits_(waits) {}
    cudaStream_t cudair_stream() const { return stream_; }
    bool cudair_waits() const { return waits_; }
    __host__ __device__ device_policy on(cudaStream_t stream) const { return device_policy(stream, waits_); }
    template <typename Allocator>
    allocating_policy<typename std::remove_reference<Allocator>::type> operator()(Allocator&& a) const;
};

/* `cuda::par(alloc)`: memory for the time of an algorithm comes from the program's allocator. */
template <typename Allocator> struct allocating_policy : device_execution_policy<allocating_policy<Allocator>> {
    typename std::remove_cv<Allocator>::type* allocator;
    cudaStream_t stream_;
    bool waits_;

    allocating_policy(Allocator& a, cudaStream_t stream, bool waits)
        : allocator(const_cast<typename std::remove_cv<Allocator>::type*>(&a)), stream_(stream), waits_(waits) {}
    cudaStream_t cudair_stream() const { return stream_; }
    bool cudair_waits() const { return waits_; }
    allocating_policy on(cudaStream_t stream) const { return allocating_policy(*allocator, stream, waits_); }

    typedef decltype(std::declval<Allocator&>().allocate(size_t())) Pointer;
    typedef typename std::remove_reference<decltype(*std::declval<Pointer>())>::type Reference;
    static constexpr size_t WIDTH = sizeof(typename Allocator::value_type);
    template <typename Q> static void* plain(Q* p) { return p; }
    template <typename Q> static auto plain(const Q& p) -> decltype((void*)p.get()) { return p.get(); }
    void* cudair_get(size_t bytes) const { return plain(allocator->allocate((bytes + WIDTH - 1) / WIDTH)); }
    void cudair_put(void* memory, size_t bytes) const {
        typedef typename Allocator::value_type Value;
        allocator->deallocate(Pointer(static_cast<Value*>(memory)), (bytes + WIDTH - 1) / WIDTH);
    }
};
template <typename Allocator>
allocating_policy<typename std::remove_reference<Allocator>::type> device_policy::operator()(Allocator&& a) const {
    return allocating_policy<typename std::remove_reference<Allocator>::type>(a, stream_, waits_);
}

}

static constexpr detail::host_policy host{};
static constexpr detail::device_policy device{};
static constexpr detail::seq_policy seq{};
namespace system {
namespace cuda {
static constexpr thrust::detail::device_policy par{};
static constexpr thrust::detail::device_policy par_nosync{0, false};
template <typename Derived> using execution_policy = device_execution_policy<Derived>;
}
namespace cpp {
static constexpr thrust::detail::host_policy par{};
template <typename Derived> using execution_policy = host_execution_policy<Derived>;
}
namespace omp {
static constexpr thrust::detail::host_policy par{};
}
namespace tbb {
static constexpr thrust::detail::host_policy par{};
}
}
namespace cuda = system::cuda;
namespace cpp = system::cpp;
namespace omp = system::omp;
namespace tbb = system::tbb;

/* Iterators. */

namespace detail {

template <typename... T> using void_t = void;

/* The system of an iterator: what it says itself, else the host's. */
template <typename It, typename = void> struct system_of {
    typedef host_system_tag type;
};
template <typename It> struct system_of<It, void_t<typename It::cudair_system>> {
    typedef typename It::cudair_system type;
};
template <typename It> using system_of_t = typename system_of<typename std::decay<It>::type>::type;

template <typename A, typename B> struct common_system {
    static_assert(std::is_same<A, B>::value, "the iterators of an algorithm are of the host and of the device");
    typedef A type;
};
template <typename A> struct common_system<A, any_system_tag> {
    typedef A type;
};
template <typename B> struct common_system<any_system_tag, B> {
    typedef B type;
};
template <> struct common_system<any_system_tag, any_system_tag> {
    typedef any_system_tag type;
};
template <typename... It> struct joint_system;
template <typename It> struct joint_system<It> {
    typedef system_of_t<It> type;
};
template <typename It, typename... Rest> struct joint_system<It, Rest...> {
    typedef typename common_system<system_of_t<It>, typename joint_system<Rest...>::type>::type type;
};

/* The policy of a call without one: what has no memory at all runs on the device. */
template <typename... It>
using policy_for = typename std::conditional<std::is_same<typename joint_system<It...>::type, host_system_tag>::value,
                                             host_policy, device_policy>::type;

/* What an algorithm goes along: iterators over device memory become plain pointers. */
template <typename It, typename = void> struct plain {
    typedef It type;
    __host__ __device__ static const It& of(const It& it) { return it; }
};
template <typename It> struct plain<It, void_t<typename It::cudair_plain>> {
    typedef typename It::cudair_plain type;
    __host__ __device__ static type of(const It& it) { return it.cudair_unwrap(); }
};
template <typename It> using plain_t = typename plain<It>::type;
template <typename It> __CUDAIR_HD plain_t<It> unwrap(const It& it) { return plain<It>::of(it); }

/* What a loop goes along: under thrust::host it may be anything. */
template <typename P, typename It> __CUDAIR_HD auto along(const It& it) {
    if constexpr (std::is_same<P, host_policy>::value) return it;
    else return unwrap(it);
}
/* The iterator that stands where `moved` does, which went along. */
template <typename It, typename Moved> __CUDAIR_HD It rewrap(const It& it, const Moved& moved) {
    if constexpr (std::is_same<It, Moved>::value) return moved;
    else return it + (moved - unwrap(it));
}

template <typename A, typename B, typename MovedA, typename MovedB>
__CUDAIR_HD pair<A, B> rewrap_both(const A& a, const B& b, const pair<MovedA, MovedB>& moved) {
    return pair<A, B>(rewrap(a, moved.first), rewrap(b, moved.second));
}

template <typename It> using value_of = typename std::iterator_traits<It>::value_type;
template <typename It> using difference_of = typename std::iterator_traits<It>::difference_type;
/* As `value_of`, where what only takes values has none of its own. */
template <typename It, typename Other> struct value_or {
    typedef typename std::iterator_traits<It>::value_type V;
    typedef typename std::conditional<std::is_void<V>::value, Other, V>::type type;
};
template <typename It, typename Other> using value_or_t = typename value_or<It, Other>::type;

/* Which of a program's iterators can be gone along at any place. */
template <typename It>
using is_random_access = std::is_convertible<typename std::iterator_traits<It>::iterator_category, std::random_access_iterator_tag>;

/* An error of the runtime's becomes an exception, `what` telling what was done. */
inline void throw_on_error(cudaError_t error, const char* what) {
    if (error != cudaSuccess) throw system_error(error, cuda_category(), what);
}

/* The end of an algorithm: what a launch reports, and unless the policy says otherwise what comes of it. */
template <typename P> void finish(const P& p, const char* what) {
    throw_on_error(cudaGetLastError(), what);
    if (p.cudair_waits()) throw_on_error(cudaStreamSynchronize(p.cudair_stream()), what);
}
template <typename P> void wait_for(const P& p, const char* what) {
    throw_on_error(cudaGetLastError(), what);
    throw_on_error(cudaStreamSynchronize(p.cudair_stream()), what);
}

/* Memory of the device for the time of an algorithm. */
template <typename T, typename P> class temporary {
    const P& policy;
    size_t bytes;
    T* memory;

public:
    temporary(const P& p, size_t n)
        : policy(p), bytes(n * sizeof(T)), memory(n ? static_cast<T*>(p.cudair_get(bytes)) : nullptr) {}
    temporary(const temporary&) = delete;
    temporary& operator=(const temporary&) = delete;
    ~temporary() {
        if (memory) policy.cudair_put(memory, bytes);
    }
    T* get() const { return memory; }
    /* The value at an index, when the stream has come that far. */
    T read(size_t i, const char* what) const {
        alignas(T) unsigned char raw[sizeof(T)];
        throw_on_error(cudaGetLastError(), what);
        throw_on_error(cudaMemcpyAsync(raw, memory + i, sizeof(T), cudaMemcpyDeviceToHost, policy.cudair_stream()), what);
        throw_on_error(cudaStreamSynchronize(policy.cudair_stream()), what);
        return *reinterpret_cast<T*>(raw);
    }
};

/* Calls f(0), f(1), … f(n - 1), each in a thread of its own. */
enum { THREADS = 256 };
template <typename F> __global__ void each_index(long long n, F f) {
    const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i < n) f(i);
}
template <typename P, typename F> void each_async(const P& p, long long n, F f) {
    if (n > 0) each_index<<<unsigned((n + THREADS - 1) / THREADS), int(THREADS), 0, p.cudair_stream()>>>(n, f);
}
template <typename P, typename F> void each(const P& p, long long n, F f, const char* what) {
    each_async(p, n, f);
    finish(p, what);
}
template <typename F> __global__ void one_thread(F f) { f(); }

}

template <typename It> struct iterator_system {
    typedef detail::system_of_t<It> type;
};
template <typename It> using iterator_system_t = typename iterator_system<It>::type;
template <typename It> struct iterator_value {
    typedef typename std::iterator_traits<It>::value_type type;
};
template <typename It> using iterator_value_t = typename iterator_value<It>::type;
template <typename It> struct iterator_reference {
    typedef typename std::iterator_traits<It>::reference type;
};
template <typename It> using iterator_reference_t = typename iterator_reference<It>::type;
template <typename It> struct iterator_difference {
    typedef typename std::iterator_traits<It>::difference_type type;
};
template <typename It> using iterator_difference_t = typename iterator_difference<It>::type;
template <typename It> struct iterator_pointer {
    typedef typename std::iterator_traits<It>::pointer type;
};
template <typename It> struct iterator_traversal {
    typedef random_access_traversal_tag type;
};
template <typename It> using iterator_traits = std::iterator_traits<It>;

template <typename It> __CUDAIR_HD detail::difference_of<It> distance(It first, It last) {
    if constexpr (detail::is_random_access<It>::value) {
        return last - first;
    } else {
        detail::difference_of<It> n = 0;
        for (; !(first == last); ++first) n++;
        return n;
    }
}
template <typename It, typename N> __CUDAIR_HD void advance(It& it, N n) {
    if constexpr (detail::is_random_access<It>::value) {
        it += n;
    } else {
        for (; n > 0; --n) ++it;
    }
}
template <typename It> __CUDAIR_HD It next(It it, detail::difference_of<It> n = 1) {
    thrust::advance(it, n);
    return it;
}
template <typename It> __CUDAIR_HD It prev(It it, detail::difference_of<It> n = 1) {
    it -= n;
    return it;
}

}

#endif
