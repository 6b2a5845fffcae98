#ifndef CUDAIR_THRUST_FILL_H
#define CUDAIR_THRUST_FILL_H

#include <thrust/detail/core.h>

namespace thrust {
namespace detail {

template <typename It, typename T> struct fill_at {
    It it;
    T value;
    __device__ void operator()(long long i) const { it[i] = value; }
};
template <typename It, typename N, typename T> __CUDAIR_HD It fill_loop(It it, N n, const T& value) {
    for (; n > 0; --n, ++it) *it = value;
    return it;
}
template <typename P, typename It, typename N, typename T> It fill_device(const P& p, It it, N n, const T& value) {
    each(p, n, fill_at<plain_t<It>, T>{unwrap(it), value}, "fill: failed to synchronize");
    return n > 0 ? it + n : it;
}

}

template <typename P, typename It, typename N, typename T>
__CUDAIR_HD It fill_n(const detail::execution_policy_base<P>& p, It first, N n, const T& value) {
    __CUDAIR_THRUST_RUN(P, detail::fill_device(detail::self(p), first, n, value),
                        detail::rewrap(first, detail::fill_loop(detail::along<P>(first), n, value)))
}
template <typename P, typename It, typename T>
__CUDAIR_HD void fill(const detail::execution_policy_base<P>& p, It first, It last, const T& value) {
    thrust::fill_n(p, first, thrust::distance(first, last), value);
}
template <typename It, typename N, typename T> __CUDAIR_HD It fill_n(It first, N n, const T& value) {
    return thrust::fill_n(detail::policy_for<It>(), first, n, value);
}
template <typename It, typename T> __CUDAIR_HD void fill(It first, It last, const T& value) {
    thrust::fill(detail::policy_for<It>(), first, last, value);
}
template <typename P, typename It, typename T>
__CUDAIR_HD void uninitialized_fill(const detail::execution_policy_base<P>& p, It first, It last, const T& value) {
    thrust::fill(p, first, last, value);
}
template <typename It, typename T> __CUDAIR_HD void uninitialized_fill(It first, It last, const T& value) { thrust::fill(first, last, value); }
template <typename P, typename It, typename N, typename T>
__CUDAIR_HD It uninitialized_fill_n(const detail::execution_policy_base<P>& p, It first, N n, const T& value) {
    return thrust::fill_n(p, first, n, value);
}
template <typename It, typename N, typename T> __CUDAIR_HD It uninitialized_fill_n(It first, N n, const T& value) {
    return thrust::fill_n(first, n, value);
}

}

#endif
