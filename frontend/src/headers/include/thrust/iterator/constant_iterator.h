/* One value, again and again. */
#ifndef CUDAIR_THRUST_CONSTANT_ITERATOR_H
#define CUDAIR_THRUST_CONSTANT_ITERATOR_H

#include <thrust/detail/facade.h>

namespace thrust {

template <typename T, typename Index = use_default, typename System = use_default>
class constant_iterator
    : public detail::facade<constant_iterator<T, Index, System>, T, T,
                            typename std::conditional<std::is_same<System, use_default>::value, any_system_tag, System>::type> {
    T held;
    ptrdiff_t at;

public:
    __host__ __device__ constant_iterator() : held(), at(0) {}
    template <typename I = ptrdiff_t> __host__ __device__ constant_iterator(const T& v, const I& i = I()) : held(v), at(i) {}
    __host__ __device__ const T& value() const { return held; }
    __host__ __device__ ptrdiff_t base() const { return at; }
    __host__ __device__ T cudair_at(ptrdiff_t) const { return held; }
    __host__ __device__ void cudair_move(ptrdiff_t n) { at += n; }
    __host__ __device__ ptrdiff_t cudair_from(const constant_iterator& other) const { return at - other.at; }
};
template <typename T> __CUDAIR_HD constant_iterator<T> make_constant_iterator(T x) { return constant_iterator<T>(x); }
template <typename T, typename I> __CUDAIR_HD constant_iterator<T> make_constant_iterator(T x, I i) { return constant_iterator<T>(x, i); }

}

#endif
