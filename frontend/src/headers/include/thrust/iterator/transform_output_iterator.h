/* Writes what a function makes of the values it is given; its sibling also reads through a function. */
#ifndef CUDAIR_THRUST_TRANSFORM_OUTPUT_ITERATOR_H
#define CUDAIR_THRUST_TRANSFORM_OUTPUT_ITERATOR_H

#include <thrust/detail/facade.h>

namespace thrust {

namespace detail {
template <typename F, typename It> struct transform_output_reference {
    It at;
    F f;
    template <typename T> __host__ __device__ const transform_output_reference& operator=(const T& value) const {
        *at = f(value);
        return *this;
    }
};
template <typename In, typename Out, typename It> struct transform_both_reference {
    It at;
    In in;
    Out out;
    typedef typename std::decay<decltype(std::declval<const In&>()(*std::declval<It>()))>::type Value;
    __host__ __device__ operator Value() const { return in(*at); }
    template <typename T> __host__ __device__ const transform_both_reference& operator=(const T& value) const {
        *at = out(value);
        return *this;
    }
    __host__ __device__ const transform_both_reference& operator=(const transform_both_reference& other) const {
        *at = out(static_cast<Value>(other));
        return *this;
    }
};
}

template <typename F, typename It>
class transform_output_iterator
    : public detail::facade<transform_output_iterator<F, It>, void, detail::transform_output_reference<F, It>, detail::system_of_t<It>> {
    It it;
    F f;

public:
    typedef transform_output_iterator<F, detail::plain_t<It>> cudair_plain;
    __host__ __device__ transform_output_iterator(const It& out, F function) : it(out), f(function) {}
    __host__ __device__ const It& base() const { return it; }
    __host__ __device__ cudair_plain cudair_unwrap() const { return cudair_plain(detail::unwrap(it), f); }
    __host__ __device__ detail::transform_output_reference<F, It> cudair_at(ptrdiff_t n) const { return {it + n, f}; }
    __host__ __device__ void cudair_move(ptrdiff_t n) { it += n; }
    __host__ __device__ ptrdiff_t cudair_from(const transform_output_iterator& other) const { return it - other.it; }
};
template <typename F, typename It> __CUDAIR_HD transform_output_iterator<F, It> make_transform_output_iterator(It it, F f) {
    return transform_output_iterator<F, It>(it, f);
}

template <typename In, typename Out, typename It>
class transform_input_output_iterator
    : public detail::facade<transform_input_output_iterator<In, Out, It>, typename detail::transform_both_reference<In, Out, It>::Value,
                            detail::transform_both_reference<In, Out, It>, detail::system_of_t<It>> {
    It it;
    In in;
    Out out;

public:
    typedef transform_input_output_iterator<In, Out, detail::plain_t<It>> cudair_plain;
    __host__ __device__ transform_input_output_iterator(It x, In i, Out o) : it(x), in(i), out(o) {}
    __host__ __device__ const It& base() const { return it; }
    __host__ __device__ cudair_plain cudair_unwrap() const { return cudair_plain(detail::unwrap(it), in, out); }
    __host__ __device__ detail::transform_both_reference<In, Out, It> cudair_at(ptrdiff_t n) const { return {it + n, in, out}; }
    __host__ __device__ void cudair_move(ptrdiff_t n) { it += n; }
    __host__ __device__ ptrdiff_t cudair_from(const transform_input_output_iterator& other) const { return it - other.it; }
};
template <typename In, typename Out, typename It>
__CUDAIR_HD transform_input_output_iterator<In, Out, It> make_transform_input_output_iterator(It it, In in, Out out) {
    return transform_input_output_iterator<In, Out, It>(it, in, out);
}

}

#endif
