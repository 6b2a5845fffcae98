#ifndef CUDAIR_THRUST_PARTITION_H
#define CUDAIR_THRUST_PARTITION_H

#include <thrust/copy.h>
#include <thrust/find.h>

namespace thrust {
namespace detail {

static constexpr const char* in_partition = "partition: failed to synchronize";
template <typename P, typename In, typename Stencil, typename Yes, typename No, typename Pred>
pair<Yes, No> partition_copy_device(const P& p, In first, In last, Stencil stencil, Yes yes, No no, Pred pred) {
    const long long n = last - first;
    const long long kept = select_device<true>(p, unwrap(first), n, stencil, to_output<plain_t<Yes>>{unwrap(yes)}, to_output<plain_t<No>>{unwrap(no)},
                                               pred, in_partition);
    return pair<Yes, No>(yes + kept, no + (n - kept));
}
template <typename In, typename Stencil, typename Yes, typename No, typename Pred>
__CUDAIR_HD pair<Yes, No> partition_copy_loop(In first, In last, Stencil stencil, Yes yes, No no, Pred pred) {
    for (; first != last; ++first) {
        bool holds;
        if constexpr (std::is_same<Stencil, self_stencil>::value) {
            holds = pred(*first);
        } else {
            holds = pred(*stencil);
            ++stencil;
        }
        if (holds) {
            *yes = *first;
            ++yes;
        } else {
            *no = *first;
            ++no;
        }
    }
    return pair<Yes, No>(yes, no);
}
/* What the predicate refuses waits until it is known where it goes. */
template <typename P, typename It, typename Stencil, typename Pred> It partition_device(const P& p, It first, It last, Stencil stencil, Pred pred) {
    typedef value_of<It> T;
    const long long n = last - first;
    temporary<T, P> refused(p, n);
    const long long kept = select_device<true>(p, unwrap(first), n, stencil, to_output<plain_t<It>>{unwrap(first)}, to_output<T*>{refused.get()}, pred,
                                               in_partition);
    copy_device(p, refused.get(), refused.get() + (n - kept), unwrap(first + kept));
    return first + kept;
}
/* In a loop each element that holds goes before those that do not. */
template <typename It, typename Stencil, typename Pred> __CUDAIR_HD long long partition_loop(It first, long long n, Stencil stencil, Pred pred) {
    long long kept = 0;
    for (long long i = 0; i < n; i++) {
        bool holds;
        if constexpr (std::is_same<Stencil, self_stencil>::value) holds = pred(first[i]);
        else holds = pred(stencil[i]);
        if (!holds) continue;
        const value_of<It> x = first[i];
        for (long long k = i; k > kept; k--) first[k] = static_cast<value_of<It>>(first[k - 1]);
        first[kept++] = x;
    }
    return kept;
}
template <typename P, typename It, typename Stencil, typename Pred>
__CUDAIR_HD It partition_any(const execution_policy_base<P>& p, It first, It last, Stencil stencil, Pred pred) {
    __CUDAIR_THRUST_RUN(P, partition_device(self(p), first, last, stencil, pred),
                        first + partition_loop(along<P>(first), last - first, along_stencil<P>(stencil), pred))
}
template <typename P, typename In, typename Stencil, typename Yes, typename No, typename Pred>
__CUDAIR_HD pair<Yes, No> partition_copy_any(const execution_policy_base<P>& p, In first, In last, Stencil stencil, Yes yes, No no, Pred pred) {
    __CUDAIR_THRUST_RUN(P, partition_copy_device(self(p), first, last, stencil, yes, no, pred),
                        rewrap_both(yes, no, partition_copy_loop(along<P>(first), along<P>(last), along_stencil<P>(stencil), along<P>(yes), along<P>(no), pred)))
}

}

#define __CUDAIR_PARTITION(name)                                                                                        \
    template <typename P, typename It, typename Pred>                                                                   \
    __CUDAIR_HD It name(const detail::execution_policy_base<P>& p, It first, It last, Pred pred) {                      \
        return detail::partition_any(p, first, last, detail::self_stencil(), pred);                                     \
    }                                                                                                                   \
    template <typename P, typename It, typename Stencil, typename Pred>                                                 \
    __CUDAIR_HD It name(const detail::execution_policy_base<P>& p, It first, It last, Stencil stencil, Pred pred) {     \
        return detail::partition_any(p, first, last, stencil, pred);                                                    \
    }                                                                                                                   \
    template <typename It, typename Pred> __CUDAIR_HD It name(It first, It last, Pred pred) {                           \
        return detail::partition_any(detail::policy_for<It>(), first, last, detail::self_stencil(), pred);              \
    }                                                                                                                   \
    template <typename It, typename Stencil, typename Pred>                                                             \
    __CUDAIR_HD It name(It first, It last, Stencil stencil, Pred pred) {                                                \
        return detail::partition_any(detail::policy_for<It, Stencil>(), first, last, stencil, pred);                    \
    }                                                                                                                   \
    template <typename P, typename In, typename Yes, typename No, typename Pred>                                        \
    __CUDAIR_HD pair<Yes, No> name##_copy(const detail::execution_policy_base<P>& p, In first, In last, Yes yes, No no, \
                                          Pred pred) {                                                                  \
        return detail::partition_copy_any(p, first, last, detail::self_stencil(), yes, no, pred);                       \
    }                                                                                                                   \
    template <typename P, typename In, typename Stencil, typename Yes, typename No, typename Pred>                      \
    __CUDAIR_HD pair<Yes, No> name##_copy(const detail::execution_policy_base<P>& p, In first, In last,                 \
                                          Stencil stencil, Yes yes, No no, Pred pred) {                                 \
        return detail::partition_copy_any(p, first, last, stencil, yes, no, pred);                                      \
    }                                                                                                                   \
    template <typename In, typename Yes, typename No, typename Pred>                                                    \
    __CUDAIR_HD pair<Yes, No> name##_copy(In first, In last, Yes yes, No no, Pred pred) {                               \
        return detail::partition_copy_any(detail::policy_for<In, Yes, No>(), first, last, detail::self_stencil(), yes,  \
                                          no, pred);                                                                    \
    }                                                                                                                   \
    template <typename In, typename Stencil, typename Yes, typename No, typename Pred>                                  \
    __CUDAIR_HD pair<Yes, No> name##_copy(In first, In last, Stencil stencil, Yes yes, No no, Pred pred) {              \
        return detail::partition_copy_any(detail::policy_for<In, Stencil, Yes, No>(), first, last, stencil, yes, no,    \
                                          pred);                                                                        \
    }
__CUDAIR_PARTITION(partition)
__CUDAIR_PARTITION(stable_partition)
#undef __CUDAIR_PARTITION

}

#endif
