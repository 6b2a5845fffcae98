/* Scans, of ranges, of what a function makes of them, and of each run of equal keys. */
#ifndef CUDAIR_THRUST_SCAN_H
#define CUDAIR_THRUST_SCAN_H

#include <thrust/detail/kernels.h>
#include <thrust/functional.h>

namespace thrust {
namespace detail {

struct no_initial {};
struct same_value {
    template <typename T> __host__ __device__ const T& operator()(const T& x) const { return x; }
};

template <bool INCLUSIVE, typename T, typename In, typename Out, typename F, typename Initial, typename Op>
__CUDAIR_HD Out scan_loop(In first, In last, Out out, F f, Initial initial, Op op) {
    if (first == last) return out;
    if constexpr (INCLUSIVE) {
        T all = f(*first);
        if constexpr (!std::is_same<Initial, no_initial>::value) all = op(initial, all);
        *out = all;
        for (++first, ++out; first != last; ++first, ++out) {
            all = op(all, static_cast<T>(f(*first)));
            *out = all;
        }
    } else {
        T all = initial;
        for (; first != last; ++first, ++out) {
            const T own = f(*first);
            *out = all;
            all = op(all, own);
        }
    }
    return out;
}
template <bool INCLUSIVE, typename T, typename P, typename In, typename Out, typename F, typename Initial, typename Op>
Out scan_device(const P& p, In first, In last, Out out, F f, Initial initial, Op op) {
    const long long n = last - first;
    if constexpr (std::is_same<Initial, no_initial>::value) {
        /* A value of the type is needed all the same: any will do. */
        alignas(T) unsigned char none[sizeof(T)] = {};
        scan_async<INCLUSIVE, T>(p, n, load_through<T, plain_t<In>, F>{unwrap(first), f}, unwrap(out), op, *reinterpret_cast<T*>(none), false);
    } else {
        scan_async<INCLUSIVE, T>(p, n, load_through<T, plain_t<In>, F>{unwrap(first), f}, unwrap(out), op, initial, true);
    }
    finish(p, "scan: failed to synchronize");
    return out + n;
}
template <bool INCLUSIVE, typename T, typename P, typename In, typename Out, typename F, typename Initial, typename Op>
__CUDAIR_HD Out scan_any(const execution_policy_base<P>& p, In first, In last, Out out, F f, Initial initial, Op op) {
    __CUDAIR_THRUST_RUN(P, (scan_device<INCLUSIVE, T>(self(p), first, last, out, f, initial, op)),
                        rewrap(out, (scan_loop<INCLUSIVE, T>(along<P>(first), along<P>(last), along<P>(out), f, initial, op))))
}

template <bool INCLUSIVE, typename T, typename Keys, typename In, typename Out, typename Equal, typename Op>
__CUDAIR_HD Out scan_by_key_loop(Keys first, Keys last, In in, Out out, T initial, Equal equal, Op op) {
    bool fresh = true;
    T all = initial;
    for (Keys before = first; first != last; before = first, ++first, ++in, ++out) {
        if (first != before && !equal(*before, *first)) {
            all = initial;
            fresh = true;
        }
        const T own = *in;
        if (INCLUSIVE) {
            all = fresh ? own : static_cast<T>(op(all, own));
            *out = all;
        } else {
            *out = all;
            all = op(all, own);
        }
        fresh = false;
    }
    return out;
}
template <bool INCLUSIVE, typename T, typename P, typename Keys, typename In, typename Out, typename Equal, typename Op>
Out scan_by_key_device(const P& p, Keys first, Keys last, In in, Out out, T initial, Equal equal, Op op) {
    const long long n = last - first;
    scan_by_key_async<INCLUSIVE, T>(p, n, unwrap(first), load_from<T, plain_t<In>>{unwrap(in)}, unwrap(out), equal, op, initial);
    finish(p, "scan_by_key: failed to synchronize");
    return out + n;
}
template <bool INCLUSIVE, typename T, typename P, typename Keys, typename In, typename Out, typename Equal, typename Op>
__CUDAIR_HD Out scan_by_key_any(const execution_policy_base<P>& p, Keys first, Keys last, In in, Out out, T initial, Equal equal, Op op) {
    __CUDAIR_THRUST_RUN(P, (scan_by_key_device<INCLUSIVE, T>(self(p), first, last, in, out, initial, equal, op)),
                        rewrap(out, (scan_by_key_loop<INCLUSIVE, T>(along<P>(first), along<P>(last), along<P>(in), along<P>(out), initial, equal, op))))
}
template <typename It, typename F> using result_of = typename std::decay<decltype(std::declval<F&>()(std::declval<typename std::iterator_traits<plain_t<It>>::reference>()))>::type;

}

/* inclusive_scan: with an operator, and with an initial value as well. */
template <typename P, typename In, typename Out> __CUDAIR_HD Out inclusive_scan(const detail::execution_policy_base<P>& p, In first, In last, Out out) {
    return detail::scan_any<true, detail::value_of<In>>(p, first, last, out, detail::same_value(), detail::no_initial(), plus<>());
}
template <typename P, typename In, typename Out, typename Op>
__CUDAIR_HD Out inclusive_scan(const detail::execution_policy_base<P>& p, In first, In last, Out out, Op op) {
    return detail::scan_any<true, detail::value_of<In>>(p, first, last, out, detail::same_value(), detail::no_initial(), op);
}
template <typename P, typename In, typename Out, typename T, typename Op>
__CUDAIR_HD Out inclusive_scan(const detail::execution_policy_base<P>& p, In first, In last, Out out, T init, Op op) {
    return detail::scan_any<true, T>(p, first, last, out, detail::same_value(), init, op);
}
template <typename In, typename Out> __CUDAIR_HD Out inclusive_scan(In first, In last, Out out) {
    return thrust::inclusive_scan(detail::policy_for<In, Out>(), first, last, out);
}
template <typename In, typename Out, typename Op> __CUDAIR_HD Out inclusive_scan(In first, In last, Out out, Op op) {
    return thrust::inclusive_scan(detail::policy_for<In, Out>(), first, last, out, op);
}
template <typename In, typename Out, typename T, typename Op> __CUDAIR_HD Out inclusive_scan(In first, In last, Out out, T init, Op op) {
    return thrust::inclusive_scan(detail::policy_for<In, Out>(), first, last, out, init, op);
}

template <typename P, typename In, typename Out, typename T, typename Op>
__CUDAIR_HD Out exclusive_scan(const detail::execution_policy_base<P>& p, In first, In last, Out out, T init, Op op) {
    return detail::scan_any<false, T>(p, first, last, out, detail::same_value(), init, op);
}
template <typename P, typename In, typename Out, typename T>
__CUDAIR_HD Out exclusive_scan(const detail::execution_policy_base<P>& p, In first, In last, Out out, T init) {
    return thrust::exclusive_scan(p, first, last, out, init, plus<>());
}
template <typename P, typename In, typename Out> __CUDAIR_HD Out exclusive_scan(const detail::execution_policy_base<P>& p, In first, In last, Out out) {
    return thrust::exclusive_scan(p, first, last, out, detail::value_of<In>(), plus<>());
}
template <typename In, typename Out, typename T, typename Op> __CUDAIR_HD Out exclusive_scan(In first, In last, Out out, T init, Op op) {
    return thrust::exclusive_scan(detail::policy_for<In, Out>(), first, last, out, init, op);
}
template <typename In, typename Out, typename T> __CUDAIR_HD Out exclusive_scan(In first, In last, Out out, T init) {
    return thrust::exclusive_scan(detail::policy_for<In, Out>(), first, last, out, init, plus<>());
}
template <typename In, typename Out> __CUDAIR_HD Out exclusive_scan(In first, In last, Out out) {
    return thrust::exclusive_scan(detail::policy_for<In, Out>(), first, last, out, detail::value_of<In>(), plus<>());
}

template <typename P, typename In, typename Out, typename F, typename Op>
__CUDAIR_HD Out transform_inclusive_scan(const detail::execution_policy_base<P>& p, In first, In last, Out out, F f, Op op) {
    return detail::scan_any<true, detail::result_of<In, F>>(p, first, last, out, f, detail::no_initial(), op);
}
template <typename P, typename In, typename Out, typename F, typename T, typename Op>
__CUDAIR_HD Out transform_inclusive_scan(const detail::execution_policy_base<P>& p, In first, In last, Out out, F f, T init, Op op) {
    return detail::scan_any<true, T>(p, first, last, out, f, init, op);
}
template <typename In, typename Out, typename F, typename Op> __CUDAIR_HD Out transform_inclusive_scan(In first, In last, Out out, F f, Op op) {
    return thrust::transform_inclusive_scan(detail::policy_for<In, Out>(), first, last, out, f, op);
}
template <typename In, typename Out, typename F, typename T, typename Op>
__CUDAIR_HD Out transform_inclusive_scan(In first, In last, Out out, F f, T init, Op op) {
    return thrust::transform_inclusive_scan(detail::policy_for<In, Out>(), first, last, out, f, init, op);
}
template <typename P, typename In, typename Out, typename F, typename T, typename Op>
__CUDAIR_HD Out transform_exclusive_scan(const detail::execution_policy_base<P>& p, In first, In last, Out out, F f, T init, Op op) {
    return detail::scan_any<false, T>(p, first, last, out, f, init, op);
}
template <typename In, typename Out, typename F, typename T, typename Op>
__CUDAIR_HD Out transform_exclusive_scan(In first, In last, Out out, F f, T init, Op op) {
    return thrust::transform_exclusive_scan(detail::policy_for<In, Out>(), first, last, out, f, init, op);
}

template <typename P, typename Keys, typename In, typename Out, typename Equal, typename Op>
__CUDAIR_HD Out inclusive_scan_by_key(const detail::execution_policy_base<P>& p, Keys first, Keys last, In in, Out out, Equal equal, Op op) {
    return detail::scan_by_key_any<true>(p, first, last, in, out, detail::value_of<In>(), equal, op);
}
template <typename P, typename Keys, typename In, typename Out, typename Equal>
__CUDAIR_HD Out inclusive_scan_by_key(const detail::execution_policy_base<P>& p, Keys first, Keys last, In in, Out out, Equal equal) {
    return thrust::inclusive_scan_by_key(p, first, last, in, out, equal, plus<>());
}
template <typename P, typename Keys, typename In, typename Out>
__CUDAIR_HD Out inclusive_scan_by_key(const detail::execution_policy_base<P>& p, Keys first, Keys last, In in, Out out) {
    return thrust::inclusive_scan_by_key(p, first, last, in, out, equal_to<>(), plus<>());
}
template <typename Keys, typename In, typename Out, typename Equal, typename Op>
__CUDAIR_HD Out inclusive_scan_by_key(Keys first, Keys last, In in, Out out, Equal equal, Op op) {
    return thrust::inclusive_scan_by_key(detail::policy_for<Keys, In, Out>(), first, last, in, out, equal, op);
}
template <typename Keys, typename In, typename Out, typename Equal>
__CUDAIR_HD Out inclusive_scan_by_key(Keys first, Keys last, In in, Out out, Equal equal) {
    return thrust::inclusive_scan_by_key(detail::policy_for<Keys, In, Out>(), first, last, in, out, equal, plus<>());
}
template <typename Keys, typename In, typename Out> __CUDAIR_HD Out inclusive_scan_by_key(Keys first, Keys last, In in, Out out) {
    return thrust::inclusive_scan_by_key(detail::policy_for<Keys, In, Out>(), first, last, in, out, equal_to<>(), plus<>());
}

template <typename P, typename Keys, typename In, typename Out, typename T, typename Equal, typename Op>
__CUDAIR_HD Out exclusive_scan_by_key(const detail::execution_policy_base<P>& p, Keys first, Keys last, In in, Out out, T init, Equal equal, Op op) {
    return detail::scan_by_key_any<false>(p, first, last, in, out, init, equal, op);
}
template <typename P, typename Keys, typename In, typename Out, typename T, typename Equal>
__CUDAIR_HD Out exclusive_scan_by_key(const detail::execution_policy_base<P>& p, Keys first, Keys last, In in, Out out, T init, Equal equal) {
    return thrust::exclusive_scan_by_key(p, first, last, in, out, init, equal, plus<>());
}
template <typename P, typename Keys, typename In, typename Out, typename T>
__CUDAIR_HD Out exclusive_scan_by_key(const detail::execution_policy_base<P>& p, Keys first, Keys last, In in, Out out, T init) {
    return thrust::exclusive_scan_by_key(p, first, last, in, out, init, equal_to<>(), plus<>());
}
template <typename P, typename Keys, typename In, typename Out>
__CUDAIR_HD Out exclusive_scan_by_key(const detail::execution_policy_base<P>& p, Keys first, Keys last, In in, Out out) {
    return thrust::exclusive_scan_by_key(p, first, last, in, out, detail::value_of<In>(), equal_to<>(), plus<>());
}
template <typename Keys, typename In, typename Out, typename T, typename Equal, typename Op>
__CUDAIR_HD Out exclusive_scan_by_key(Keys first, Keys last, In in, Out out, T init, Equal equal, Op op) {
    return thrust::exclusive_scan_by_key(detail::policy_for<Keys, In, Out>(), first, last, in, out, init, equal, op);
}
template <typename Keys, typename In, typename Out, typename T, typename Equal>
__CUDAIR_HD Out exclusive_scan_by_key(Keys first, Keys last, In in, Out out, T init, Equal equal) {
    return thrust::exclusive_scan_by_key(detail::policy_for<Keys, In, Out>(), first, last, in, out, init, equal, plus<>());
}
template <typename Keys, typename In, typename Out, typename T> __CUDAIR_HD Out exclusive_scan_by_key(Keys first, Keys last, In in, Out out, T init) {
    return thrust::exclusive_scan_by_key(detail::policy_for<Keys, In, Out>(), first, last, in, out, init, equal_to<>(), plus<>());
}
template <typename Keys, typename In, typename Out> __CUDAIR_HD Out exclusive_scan_by_key(Keys first, Keys last, In in, Out out) {
    return thrust::exclusive_scan_by_key(detail::policy_for<Keys, In, Out>(), first, last, in, out, detail::value_of<In>(), equal_to<>(), plus<>());
}

}

#endif
