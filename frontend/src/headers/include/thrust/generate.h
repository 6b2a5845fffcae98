/* generate, sequence and tabulate: values that come from no range. */
#ifndef CUDAIR_THRUST_GENERATE_H
#define CUDAIR_THRUST_GENERATE_H

#include <thrust/detail/core.h>

namespace thrust {
namespace detail {

template <typename It, typename F> struct generate_at {
    It it;
    mutable F f;
    __device__ void operator()(long long i) const { it[i] = f(); }
};
template <typename It, typename F> struct tabulate_at {
    It it;
    mutable F f;
    __device__ void operator()(long long i) const { it[i] = f(static_cast<difference_of<It>>(i)); }
};
template <typename T> struct arithmetic_sequence {
    T first, step;
    template <typename I> __host__ __device__ T operator()(I i) const { return static_cast<T>(first + step * static_cast<T>(i)); }
};
template <typename It, typename N, typename F> __CUDAIR_HD It generate_loop(It it, N n, F f) {
    for (; n > 0; --n, ++it) *it = f();
    return it;
}
template <typename P, typename It, typename N, typename F> It generate_device(const P& p, It it, N n, F f) {
    each(p, n, generate_at<plain_t<It>, F>{unwrap(it), f}, "generate: failed to synchronize");
    return n > 0 ? it + n : it;
}
template <typename It, typename F> __CUDAIR_HD void tabulate_loop(It first, It last, F f) {
    for (difference_of<It> i = 0; first != last; ++i, ++first) *first = f(i);
}
template <typename P, typename It, typename F> void tabulate_device(const P& p, It first, It last, F f) {
    each(p, last - first, tabulate_at<plain_t<It>, F>{unwrap(first), f}, "tabulate: failed to synchronize");
}

}

template <typename P, typename It, typename N, typename F>
__CUDAIR_HD It generate_n(const detail::execution_policy_base<P>& p, It first, N n, F f) {
    __CUDAIR_THRUST_RUN(P, detail::generate_device(detail::self(p), first, n, f),
                        detail::rewrap(first, detail::generate_loop(detail::along<P>(first), n, f)))
}
template <typename P, typename It, typename F> __CUDAIR_HD void generate(const detail::execution_policy_base<P>& p, It first, It last, F f) {
    thrust::generate_n(p, first, thrust::distance(first, last), f);
}
template <typename It, typename N, typename F> __CUDAIR_HD It generate_n(It first, N n, F f) {
    return thrust::generate_n(detail::policy_for<It>(), first, n, f);
}
template <typename It, typename F> __CUDAIR_HD void generate(It first, It last, F f) {
    thrust::generate(detail::policy_for<It>(), first, last, f);
}

template <typename P, typename It, typename F> __CUDAIR_HD void tabulate(const detail::execution_policy_base<P>& p, It first, It last, F f) {
    __CUDAIR_THRUST_RUN(P, detail::tabulate_device(detail::self(p), first, last, f),
                        detail::tabulate_loop(detail::along<P>(first), detail::along<P>(last), f))
}
template <typename It, typename F> __CUDAIR_HD void tabulate(It first, It last, F f) {
    thrust::tabulate(detail::policy_for<It>(), first, last, f);
}

template <typename P, typename It, typename T>
__CUDAIR_HD void sequence(const detail::execution_policy_base<P>& p, It first, It last, T init, T step) {
    thrust::tabulate(p, first, last, detail::arithmetic_sequence<T>{init, step});
}
template <typename P, typename It, typename T>
__CUDAIR_HD void sequence(const detail::execution_policy_base<P>& p, It first, It last, T init) {
    thrust::sequence(p, first, last, init, T(1));
}
template <typename P, typename It> __CUDAIR_HD void sequence(const detail::execution_policy_base<P>& p, It first, It last) {
    thrust::sequence(p, first, last, detail::value_of<It>(0), detail::value_of<It>(1));
}
template <typename It, typename T> __CUDAIR_HD void sequence(It first, It last, T init, T step) {
    thrust::sequence(detail::policy_for<It>(), first, last, init, step);
}
template <typename It, typename T> __CUDAIR_HD void sequence(It first, It last, T init) {
    thrust::sequence(detail::policy_for<It>(), first, last, init, T(1));
}
template <typename It> __CUDAIR_HD void sequence(It first, It last) { thrust::sequence(detail::policy_for<It>(), first, last); }

}

#endif
