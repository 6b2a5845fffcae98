#ifndef CUDAIR_THRUST_REVERSE_H
#define CUDAIR_THRUST_REVERSE_H

#include <thrust/copy.h>
#include <thrust/iterator/reverse_iterator.h>

namespace thrust {
namespace detail {

template <typename It> struct reverse_at {
    It it;
    long long n;
    __device__ void operator()(long long i) const {
        const value_of<It> x = it[i];
        it[i] = static_cast<value_of<It>>(it[n - 1 - i]);
        it[n - 1 - i] = x;
    }
};
template <typename P, typename It> void reverse_device(const P& p, It first, It last) {
    each(p, (last - first) / 2, reverse_at<plain_t<It>>{unwrap(first), last - first}, "reverse: failed to synchronize");
}
template <typename It> __CUDAIR_HD void reverse_loop(It first, It last) {
    while (first != last && first != --last) {
        const value_of<It> x = *first;
        *first = static_cast<value_of<It>>(*last);
        *last = x;
        ++first;
    }
}

}

template <typename P, typename It> __CUDAIR_HD void reverse(const detail::execution_policy_base<P>& p, It first, It last) {
    __CUDAIR_THRUST_RUN(P, detail::reverse_device(detail::self(p), first, last),
                        detail::reverse_loop(detail::along<P>(first), detail::along<P>(last)))
}
template <typename It> __CUDAIR_HD void reverse(It first, It last) { thrust::reverse(detail::policy_for<It>(), first, last); }
template <typename P, typename In, typename Out>
__CUDAIR_HD Out reverse_copy(const detail::execution_policy_base<P>& p, In first, In last, Out out) {
    return thrust::copy(p, thrust::make_reverse_iterator(last), thrust::make_reverse_iterator(first), out);
}
template <typename In, typename Out> __CUDAIR_HD Out reverse_copy(In first, In last, Out out) {
    return thrust::copy(thrust::make_reverse_iterator(last), thrust::make_reverse_iterator(first), out);
}

}

#endif
