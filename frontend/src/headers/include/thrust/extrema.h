/* The least and the greatest. Of equal ones the first is told. */
#ifndef CUDAIR_THRUST_EXTREMA_H
#define CUDAIR_THRUST_EXTREMA_H

#include <thrust/detail/kernels.h>
#include <thrust/functional.h>

namespace thrust {

template <typename T> __CUDAIR_HD T min(const T& a, const T& b) { return b < a ? b : a; }
template <typename T, typename Less> __CUDAIR_HD T min(const T& a, const T& b, Less less) { return less(b, a) ? b : a; }
template <typename T> __CUDAIR_HD T max(const T& a, const T& b) { return a < b ? b : a; }
template <typename T, typename Less> __CUDAIR_HD T max(const T& a, const T& b, Less less) { return less(a, b) ? b : a; }

namespace detail {

/* Of two places the one of the better element, or of equal ones the lower. */
template <typename It, typename Less> struct lesser_of {
    It it;
    mutable Less less;
    __host__ __device__ long long operator()(long long a, long long b) const {
        const long long low = a < b ? a : b, high = a < b ? b : a;
        return less(it[high], it[low]) ? high : low;
    }
};
template <typename It, typename Less> struct greater_of {
    It it;
    mutable Less less;
    __host__ __device__ long long operator()(long long a, long long b) const {
        const long long low = a < b ? a : b, high = a < b ? b : a;
        return less(it[low], it[high]) ? high : low;
    }
};
struct own_index {
    __device__ long long operator()(long long i) const { return i; }
};
template <typename P, typename It, typename Op> It extreme_device(const P& p, It first, It last, Op op) {
    return first == last ? last : first + reduce_all(p, last - first, own_index(), 0ll, op, "extrema: failed to synchronize");
}
template <typename It, typename Less> __CUDAIR_HD It min_loop(It first, It last, Less less) {
    It best = first;
    for (; first != last; ++first)
        if (less(*first, *best)) best = first;
    return best;
}
template <typename It, typename Less> __CUDAIR_HD It max_loop(It first, It last, Less less) {
    It best = first;
    for (; first != last; ++first)
        if (less(*best, *first)) best = first;
    return best;
}

}

template <typename P, typename It, typename Less> __CUDAIR_HD It min_element(const detail::execution_policy_base<P>& p, It first, It last, Less less) {
    __CUDAIR_THRUST_RUN(P, detail::extreme_device(detail::self(p), first, last, detail::lesser_of<detail::plain_t<It>, Less>{detail::unwrap(first), less}),
                        detail::rewrap(first, detail::min_loop(detail::along<P>(first), detail::along<P>(last), less)))
}
template <typename P, typename It> __CUDAIR_HD It min_element(const detail::execution_policy_base<P>& p, It first, It last) {
    return thrust::min_element(p, first, last, less<>());
}
template <typename It, typename Less> __CUDAIR_HD It min_element(It first, It last, Less less) {
    return thrust::min_element(detail::policy_for<It>(), first, last, less);
}
template <typename It> __CUDAIR_HD It min_element(It first, It last) { return thrust::min_element(detail::policy_for<It>(), first, last, less<>()); }
template <typename P, typename It, typename Less> __CUDAIR_HD It max_element(const detail::execution_policy_base<P>& p, It first, It last, Less less) {
    __CUDAIR_THRUST_RUN(P, detail::extreme_device(detail::self(p), first, last, detail::greater_of<detail::plain_t<It>, Less>{detail::unwrap(first), less}),
                        detail::rewrap(first, detail::max_loop(detail::along<P>(first), detail::along<P>(last), less)))
}
template <typename P, typename It> __CUDAIR_HD It max_element(const detail::execution_policy_base<P>& p, It first, It last) {
    return thrust::max_element(p, first, last, less<>());
}
template <typename It, typename Less> __CUDAIR_HD It max_element(It first, It last, Less less) {
    return thrust::max_element(detail::policy_for<It>(), first, last, less);
}
template <typename It> __CUDAIR_HD It max_element(It first, It last) { return thrust::max_element(detail::policy_for<It>(), first, last, less<>()); }
template <typename P, typename It, typename Less>
__CUDAIR_HD pair<It, It> minmax_element(const detail::execution_policy_base<P>& p, It first, It last, Less less) {
    return pair<It, It>(thrust::min_element(p, first, last, less), thrust::max_element(p, first, last, less));
}
template <typename P, typename It> __CUDAIR_HD pair<It, It> minmax_element(const detail::execution_policy_base<P>& p, It first, It last) {
    return thrust::minmax_element(p, first, last, less<>());
}
template <typename It, typename Less> __CUDAIR_HD pair<It, It> minmax_element(It first, It last, Less less) {
    return thrust::minmax_element(detail::policy_for<It>(), first, last, less);
}
template <typename It> __CUDAIR_HD pair<It, It> minmax_element(It first, It last) {
    return thrust::minmax_element(detail::policy_for<It>(), first, last, less<>());
}

}

#endif
