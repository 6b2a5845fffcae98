/* Iterators that are no memory, or read it their own way. */
#ifndef CUDAIR_CUB_ITERATORS_H
#define CUDAIR_CUB_ITERATORS_H

#include <cub/util.cuh>
#include <thrust/detail/facade.h>
#include <thrust/iterator/counting_iterator.h>

namespace cub {

namespace detail {
template <typename Self, typename V, typename R> using facade = thrust::detail::facade<Self, V, R, thrust::any_system_tag>;
}

template <typename V, typename Offset = ptrdiff_t>
class ConstantInputIterator : public detail::facade<ConstantInputIterator<V, Offset>, V, V> {
    V value;
    Offset at;

public:
    __host__ __device__ ConstantInputIterator(V v, Offset o = 0) : value(v), at(o) {}
    __host__ __device__ V cudair_at(ptrdiff_t) const { return value; }
    __host__ __device__ void cudair_move(ptrdiff_t n) { at += n; }
    __host__ __device__ ptrdiff_t cudair_from(const ConstantInputIterator& o) const { return at - o.at; }
};
template <typename V, typename Offset = ptrdiff_t>
class CountingInputIterator : public detail::facade<CountingInputIterator<V, Offset>, V, V> {
    V at;

public:
    __host__ __device__ CountingInputIterator(const V& v) : at(v) {}
    __host__ __device__ V cudair_at(ptrdiff_t n) const { return static_cast<V>(at + n); }
    __host__ __device__ void cudair_move(ptrdiff_t n) { at = static_cast<V>(at + n); }
    __host__ __device__ ptrdiff_t cudair_from(const CountingInputIterator& o) const { return ptrdiff_t(at) - ptrdiff_t(o.at); }
};
template <typename V, typename F, typename It, typename Offset = ptrdiff_t>
class TransformInputIterator : public detail::facade<TransformInputIterator<V, F, It, Offset>, V, V> {
    mutable F f;
    It it;

public:
    __host__ __device__ TransformInputIterator(It i, F function) : f(function), it(i) {}
    __host__ __device__ V cudair_at(ptrdiff_t n) const { return f(it[n]); }
    __host__ __device__ void cudair_move(ptrdiff_t n) { it += n; }
    __host__ __device__ ptrdiff_t cudair_from(const TransformInputIterator& o) const { return o.it == it ? 0 : it - o.it; }
};
/* Pairs of an index and the value there. */
template <typename It, typename Offset = ptrdiff_t, typename V = typename std::iterator_traits<It>::value_type>
class ArgIndexInputIterator : public detail::facade<ArgIndexInputIterator<It, Offset, V>, KeyValuePair<Offset, V>, KeyValuePair<Offset, V>> {
    It it;
    Offset at;

public:
    __host__ __device__ ArgIndexInputIterator(It i, Offset offset = 0) : it(i), at(offset) {}
    __host__ __device__ KeyValuePair<Offset, V> cudair_at(ptrdiff_t n) const {
        return KeyValuePair<Offset, V>(static_cast<Offset>(at + n), it[at + n]);
    }
    __host__ __device__ void cudair_move(ptrdiff_t n) { at += n; }
    __host__ __device__ ptrdiff_t cudair_from(const ArgIndexInputIterator& o) const { return at - o.at; }
    __host__ __device__ void normalize() {
        it += at;
        at = 0;
    }
};
template <CacheLoadModifier MODIFIER, typename V, typename Offset = ptrdiff_t>
class CacheModifiedInputIterator : public detail::facade<CacheModifiedInputIterator<MODIFIER, V, Offset>, V, V> {
    const V* at;

public:
    template <typename Q> __host__ __device__ CacheModifiedInputIterator(Q* p) : at(p) {}
    __device__ V cudair_at(ptrdiff_t n) const { return ThreadLoad<MODIFIER>(at + n); }
    __host__ __device__ void cudair_move(ptrdiff_t n) { at += n; }
    __host__ __device__ ptrdiff_t cudair_from(const CacheModifiedInputIterator& o) const { return at - o.at; }
};
namespace detail {
template <CacheStoreModifier MODIFIER, typename V> struct modified_store {
    V* at;
    __device__ V operator=(const V& value) const {
        ThreadStore<MODIFIER>(at, value);
        return value;
    }
};
struct discarded {
    template <typename T> __host__ __device__ const discarded& operator=(const T&) const { return *this; }
};
}
template <CacheStoreModifier MODIFIER, typename V, typename Offset = ptrdiff_t>
class CacheModifiedOutputIterator
    : public detail::facade<CacheModifiedOutputIterator<MODIFIER, V, Offset>, void, detail::modified_store<MODIFIER, V>> {
    V* at;

public:
    template <typename Q> __host__ __device__ CacheModifiedOutputIterator(Q* p) : at(p) {}
    __host__ __device__ detail::modified_store<MODIFIER, V> cudair_at(ptrdiff_t n) const { return {at + n}; }
    __host__ __device__ void cudair_move(ptrdiff_t n) { at += n; }
    __host__ __device__ ptrdiff_t cudair_from(const CacheModifiedOutputIterator& o) const { return at - o.at; }
};
template <typename Offset = ptrdiff_t> class DiscardOutputIterator : public detail::facade<DiscardOutputIterator<Offset>, void, detail::discarded> {
    Offset at;

public:
    __host__ __device__ DiscardOutputIterator(Offset o = 0) : at(o) {}
    __host__ __device__ detail::discarded cudair_at(ptrdiff_t) const { return {}; }
    __host__ __device__ void cudair_move(ptrdiff_t n) { at += n; }
    __host__ __device__ ptrdiff_t cudair_from(const DiscardOutputIterator& o) const { return at - o.at; }
};
/* Reads as a texture does are plain reads. */
template <typename T, typename Offset = ptrdiff_t> class TexObjInputIterator : public detail::facade<TexObjInputIterator<T, Offset>, T, T> {
    const T* at;

public:
    __host__ __device__ TexObjInputIterator() : at(nullptr) {}
    template <typename Q> cudaError_t BindTexture(Q* p, size_t = size_t(-1), size_t offset = 0) {
        at = p + offset;
        return cudaSuccess;
    }
    cudaError_t UnbindTexture() {
        at = nullptr;
        return cudaSuccess;
    }
    __device__ T cudair_at(ptrdiff_t n) const { return at[n]; }
    __host__ __device__ void cudair_move(ptrdiff_t n) { at += n; }
    __host__ __device__ ptrdiff_t cudair_from(const TexObjInputIterator& o) const { return at - o.at; }
};

}

#endif
