/* What a function makes of the values of another iterator, when they are asked for. */
#ifndef CUDAIR_THRUST_TRANSFORM_ITERATOR_H
#define CUDAIR_THRUST_TRANSFORM_ITERATOR_H

#include <thrust/detail/facade.h>

namespace thrust {

namespace detail {
template <typename F, typename It> struct transformed {
    typedef decltype(std::declval<F&>()(std::declval<typename std::iterator_traits<It>::reference>())) type;
};
template <typename Chosen, typename Otherwise>
using or_default = typename std::conditional<std::is_same<Chosen, use_default>::value, Otherwise, Chosen>::type;
}

template <typename F, typename It, typename Reference = use_default, typename Value = use_default>
class transform_iterator
    : public detail::facade<
          transform_iterator<F, It, Reference, Value>,
          detail::or_default<Value, typename std::decay<detail::or_default<Reference, typename detail::transformed<F, detail::plain_t<It>>::type>>::type>,
          detail::or_default<Reference, typename detail::transformed<F, detail::plain_t<It>>::type>, detail::system_of_t<It>> {
    It it;
    mutable F f;

public:
    typedef typename transform_iterator::reference Result;
    typedef transform_iterator<F, detail::plain_t<It>, Reference, Value> cudair_plain;

    __host__ __device__ transform_iterator() : it(), f() {}
    __host__ __device__ explicit transform_iterator(const It& x) : it(x), f() {}
    __host__ __device__ transform_iterator(const It& x, F function) : it(x), f(function) {}
    transform_iterator(const transform_iterator&) = default;
    /* Closures cannot be assigned, iterators must. */
    __host__ __device__ transform_iterator& operator=(const transform_iterator& other) {
        it = other.it;
        if constexpr (std::is_copy_assignable<F>::value) f = other.f;
        return *this;
    }
    __host__ __device__ const It& base() const { return it; }
    __host__ __device__ F functor() const { return f; }
    __host__ __device__ cudair_plain cudair_unwrap() const { return cudair_plain(detail::unwrap(it), f); }
    __host__ __device__ Result cudair_at(ptrdiff_t n) const { return f(it[n]); }
    __host__ __device__ void cudair_move(ptrdiff_t n) { it += n; }
    __host__ __device__ ptrdiff_t cudair_from(const transform_iterator& other) const { return it - other.it; }
};
template <typename F, typename It> __CUDAIR_HD transform_iterator<F, It> make_transform_iterator(It it, F f) {
    return transform_iterator<F, It>(it, f);
}

}

#endif
