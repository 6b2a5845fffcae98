#ifndef CUDAIR_THRUST_FOR_EACH_H
#define CUDAIR_THRUST_FOR_EACH_H

#include <thrust/detail/core.h>

namespace thrust {
namespace detail {

template <typename It, typename F> struct apply_at {
    It it;
    mutable F f;
    __device__ void operator()(long long i) const { f(it[i]); }
};
template <typename It, typename N, typename F> __CUDAIR_HD It for_each_loop(It it, N n, F f) {
    for (; n > 0; --n, ++it) f(*it);
    return it;
}
template <typename P, typename It, typename N, typename F> It for_each_device(const P& p, It it, N n, F f) {
    each(p, n, apply_at<plain_t<It>, F>{unwrap(it), f}, "for_each: failed to synchronize");
    return n > 0 ? it + n : it;
}

}

template <typename P, typename It, typename N, typename F>
__CUDAIR_HD It for_each_n(const detail::execution_policy_base<P>& p, It first, N n, F f) {
    __CUDAIR_THRUST_RUN(P, detail::for_each_device(detail::self(p), first, n, f),
                        detail::rewrap(first, detail::for_each_loop(detail::along<P>(first), n, f)))
}
template <typename P, typename It, typename F>
__CUDAIR_HD It for_each(const detail::execution_policy_base<P>& p, It first, It last, F f) {
    return thrust::for_each_n(p, first, thrust::distance(first, last), f);
}
template <typename It, typename N, typename F> __CUDAIR_HD It for_each_n(It first, N n, F f) {
    return thrust::for_each_n(detail::policy_for<It>(), first, n, f);
}
template <typename It, typename F> __CUDAIR_HD It for_each(It first, It last, F f) {
    return thrust::for_each(detail::policy_for<It>(), first, last, f);
}

}

#endif
