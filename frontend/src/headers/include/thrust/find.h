/* Searches from the begin on, and what is asked of whole ranges: find, all_of, mismatch, equal, is_sorted, is_partitioned. */
#ifndef CUDAIR_THRUST_FIND_H
#define CUDAIR_THRUST_FIND_H

#include <thrust/detail/selection.h>

namespace thrust {
namespace detail {

template <bool WANTED, typename It, typename Pred> struct holds_at {
    It it;
    mutable Pred pred;
    __device__ bool operator()(long long i) const { return bool(pred(it[i])) == WANTED; }
};
template <typename A, typename B, typename Pred> struct differs_at {
    A a;
    B b;
    mutable Pred pred;
    __device__ bool operator()(long long i) const { return !pred(a[i], b[i]); }
};
template <typename It, typename Less> struct falls_at {
    It it;
    mutable Less less;
    __device__ bool operator()(long long i) const { return less(it[i + 1], it[i]); }
};

template <bool WANTED, typename It, typename Pred> __CUDAIR_HD It find_loop(It first, It last, Pred pred) {
    while (first != last && bool(pred(*first)) != WANTED) ++first;
    return first;
}
template <bool WANTED, typename P, typename It, typename Pred> It find_device(const P& p, It first, It last, Pred pred) {
    return first + find_index(p, last - first, holds_at<WANTED, plain_t<It>, Pred>{unwrap(first), pred}, "find_if: failed to synchronize");
}
template <bool WANTED, typename P, typename It, typename Pred>
__CUDAIR_HD It find_any(const execution_policy_base<P>& p, It first, It last, Pred pred) {
    __CUDAIR_THRUST_RUN(P, find_device<WANTED>(self(p), first, last, pred),
                        rewrap(first, find_loop<WANTED>(along<P>(first), along<P>(last), pred)))
}

template <typename A, typename B, typename Pred> __CUDAIR_HD pair<A, B> mismatch_loop(A first, A last, B second, Pred pred) {
    while (first != last && pred(*first, *second)) {
        ++first;
        ++second;
    }
    return pair<A, B>(first, second);
}
template <typename P, typename A, typename B, typename Pred> pair<A, B> mismatch_device(const P& p, A first, A last, B second, Pred pred) {
    const long long n = find_index(p, last - first, differs_at<plain_t<A>, plain_t<B>, Pred>{unwrap(first), unwrap(second), pred},
                                   "mismatch: failed to synchronize");
    return pair<A, B>(first + n, second + n);
}
template <typename It, typename Less> __CUDAIR_HD It sorted_until_loop(It first, It last, Less less) {
    if (first == last) return last;
    for (It next = first; ++next != last; first = next)
        if (less(*next, *first)) return next;
    return last;
}
template <typename P, typename It, typename Less> It sorted_until_device(const P& p, It first, It last, Less less) {
    const long long n = last - first;
    return n < 2 ? last : first + 1 + find_index(p, n - 1, falls_at<plain_t<It>, Less>{unwrap(first), less}, "is_sorted_until: failed to synchronize");
}

}

template <typename P, typename It, typename Pred> __CUDAIR_HD It find_if(const detail::execution_policy_base<P>& p, It first, It last, Pred pred) {
    return detail::find_any<true>(p, first, last, pred);
}
template <typename It, typename Pred> __CUDAIR_HD It find_if(It first, It last, Pred pred) {
    return detail::find_any<true>(detail::policy_for<It>(), first, last, pred);
}
template <typename P, typename It, typename Pred> __CUDAIR_HD It find_if_not(const detail::execution_policy_base<P>& p, It first, It last, Pred pred) {
    return detail::find_any<false>(p, first, last, pred);
}
template <typename It, typename Pred> __CUDAIR_HD It find_if_not(It first, It last, Pred pred) {
    return detail::find_any<false>(detail::policy_for<It>(), first, last, pred);
}
template <typename P, typename It, typename T> __CUDAIR_HD It find(const detail::execution_policy_base<P>& p, It first, It last, const T& value) {
    return detail::find_any<true>(p, first, last, detail::equals_value<T>{value});
}
template <typename It, typename T> __CUDAIR_HD It find(It first, It last, const T& value) {
    return detail::find_any<true>(detail::policy_for<It>(), first, last, detail::equals_value<T>{value});
}

template <typename P, typename It, typename Pred> __CUDAIR_HD bool all_of(const detail::execution_policy_base<P>& p, It first, It last, Pred pred) {
    return detail::find_any<false>(p, first, last, pred) == last;
}
template <typename It, typename Pred> __CUDAIR_HD bool all_of(It first, It last, Pred pred) { return thrust::find_if_not(first, last, pred) == last; }
template <typename P, typename It, typename Pred> __CUDAIR_HD bool any_of(const detail::execution_policy_base<P>& p, It first, It last, Pred pred) {
    return detail::find_any<true>(p, first, last, pred) != last;
}
template <typename It, typename Pred> __CUDAIR_HD bool any_of(It first, It last, Pred pred) { return thrust::find_if(first, last, pred) != last; }
template <typename P, typename It, typename Pred> __CUDAIR_HD bool none_of(const detail::execution_policy_base<P>& p, It first, It last, Pred pred) {
    return detail::find_any<true>(p, first, last, pred) == last;
}
template <typename It, typename Pred> __CUDAIR_HD bool none_of(It first, It last, Pred pred) { return thrust::find_if(first, last, pred) == last; }

template <typename P, typename A, typename B, typename Pred>
__CUDAIR_HD pair<A, B> mismatch(const detail::execution_policy_base<P>& p, A first, A last, B second, Pred pred) {
    __CUDAIR_THRUST_RUN(P, detail::mismatch_device(detail::self(p), first, last, second, pred),
                        detail::rewrap_both(first, second, detail::mismatch_loop(detail::along<P>(first), detail::along<P>(last), detail::along<P>(second), pred)))
}
template <typename P, typename A, typename B>
__CUDAIR_HD pair<A, B> mismatch(const detail::execution_policy_base<P>& p, A first, A last, B second) {
    return thrust::mismatch(p, first, last, second, equal_to<>());
}
template <typename A, typename B, typename Pred> __CUDAIR_HD pair<A, B> mismatch(A first, A last, B second, Pred pred) {
    return thrust::mismatch(detail::policy_for<A, B>(), first, last, second, pred);
}
template <typename A, typename B> __CUDAIR_HD pair<A, B> mismatch(A first, A last, B second) {
    return thrust::mismatch(detail::policy_for<A, B>(), first, last, second, equal_to<>());
}
template <typename P, typename A, typename B, typename Pred>
__CUDAIR_HD bool equal(const detail::execution_policy_base<P>& p, A first, A last, B second, Pred pred) {
    return thrust::mismatch(p, first, last, second, pred).first == last;
}
template <typename P, typename A, typename B> __CUDAIR_HD bool equal(const detail::execution_policy_base<P>& p, A first, A last, B second) {
    return thrust::mismatch(p, first, last, second, equal_to<>()).first == last;
}
template <typename A, typename B, typename Pred> __CUDAIR_HD bool equal(A first, A last, B second, Pred pred) {
    return thrust::mismatch(detail::policy_for<A, B>(), first, last, second, pred).first == last;
}
template <typename A, typename B> __CUDAIR_HD bool equal(A first, A last, B second) {
    return thrust::mismatch(detail::policy_for<A, B>(), first, last, second, equal_to<>()).first == last;
}

template <typename P, typename It, typename Less>
__CUDAIR_HD It is_sorted_until(const detail::execution_policy_base<P>& p, It first, It last, Less less) {
    __CUDAIR_THRUST_RUN(P, detail::sorted_until_device(detail::self(p), first, last, less),
                        detail::rewrap(first, detail::sorted_until_loop(detail::along<P>(first), detail::along<P>(last), less)))
}
template <typename P, typename It> __CUDAIR_HD It is_sorted_until(const detail::execution_policy_base<P>& p, It first, It last) {
    return thrust::is_sorted_until(p, first, last, less<>());
}
template <typename It, typename Less> __CUDAIR_HD It is_sorted_until(It first, It last, Less less) {
    return thrust::is_sorted_until(detail::policy_for<It>(), first, last, less);
}
template <typename It> __CUDAIR_HD It is_sorted_until(It first, It last) {
    return thrust::is_sorted_until(detail::policy_for<It>(), first, last, less<>());
}
template <typename P, typename It, typename Less>
__CUDAIR_HD bool is_sorted(const detail::execution_policy_base<P>& p, It first, It last, Less less) {
    return thrust::is_sorted_until(p, first, last, less) == last;
}
template <typename P, typename It> __CUDAIR_HD bool is_sorted(const detail::execution_policy_base<P>& p, It first, It last) {
    return thrust::is_sorted_until(p, first, last, less<>()) == last;
}
template <typename It, typename Less> __CUDAIR_HD bool is_sorted(It first, It last, Less less) {
    return thrust::is_sorted_until(first, last, less) == last;
}
template <typename It> __CUDAIR_HD bool is_sorted(It first, It last) { return thrust::is_sorted_until(first, last) == last; }

template <typename P, typename It, typename Pred>
__CUDAIR_HD It partition_point(const detail::execution_policy_base<P>& p, It first, It last, Pred pred) {
    return thrust::find_if_not(p, first, last, pred);
}
template <typename It, typename Pred> __CUDAIR_HD It partition_point(It first, It last, Pred pred) { return thrust::find_if_not(first, last, pred); }
template <typename P, typename It, typename Pred>
__CUDAIR_HD bool is_partitioned(const detail::execution_policy_base<P>& p, It first, It last, Pred pred) {
    return thrust::none_of(p, thrust::find_if_not(p, first, last, pred), last, pred);
}
template <typename It, typename Pred> __CUDAIR_HD bool is_partitioned(It first, It last, Pred pred) {
    return thrust::none_of(thrust::find_if_not(first, last, pred), last, pred);
}

}

#endif
