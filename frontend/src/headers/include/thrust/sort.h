#ifndef CUDAIR_THRUST_SORT_H
#define CUDAIR_THRUST_SORT_H

#include <thrust/detail/sorting.h>
#include <thrust/find.h>
#include <thrust/functional.h>

namespace thrust {
namespace detail {

template <typename P, typename It, typename Less> void sort_device(const P& p, It first, It last, Less less) {
    const nothing none{};
    sort_async<nothing>(p, last - first, unwrap(first), none, unwrap(first), none, less);
    finish(p, "sort: failed to synchronize");
}
template <typename P, typename Keys, typename Values, typename Less>
void sort_by_key_device(const P& p, Keys first, Keys last, Values values, Less less) {
    sort_async<value_of<Values>>(p, last - first, unwrap(first), unwrap(values), unwrap(first), unwrap(values), less);
    finish(p, "sort_by_key: failed to synchronize");
}
template <typename K, typename V> struct keyed {
    K key;
    V value;
};
template <typename Less> struct by_key {
    Less less;
    template <typename T> __host__ __device__ bool operator()(const T& a, const T& b) { return less(a.key, b.key); }
};
template <typename It, typename Less> __CUDAIR_HD void sort_loop(It first, It last, Less less) {
    if (__cudair_on_device()) {
        sort_in_place(together<It, nothing>{first, nothing()}, last - first, less);
    } else {
        sort_on_host(first, last - first, less);
    }
}
template <typename Keys, typename Values, typename Less> __CUDAIR_HD void sort_by_key_loop(Keys first, Keys last, Values values, Less less) {
    const long long n = last - first;
    if (__cudair_on_device()) {
        sort_in_place(together<Keys, Values>{first, values}, n, less);
    } else {
        typedef keyed<value_of<Keys>, value_of<Values>> Both;
        if (n < 64) return sort_in_place(together<Keys, Values>{first, values}, n, less);
        Both* const all = static_cast<Both*>(::operator new(n * sizeof(Both)));
        for (long long i = 0; i < n; i++) ::new ((void*)(all + i)) Both{first[i], values[i]};
        sort_on_host(all, n, by_key<Less>{less});
        for (long long i = 0; i < n; i++) {
            first[i] = all[i].key;
            values[i] = all[i].value;
            all[i].~Both();
        }
        ::operator delete((void*)all);
    }
}

}

/* All sorts are stable. */
#define __CUDAIR_SORT(name)                                                                                             \
    template <typename P, typename It, typename Less>                                                                   \
    __CUDAIR_HD void name(const detail::execution_policy_base<P>& p, It first, It last, Less less) {                    \
        __CUDAIR_THRUST_RUN(P, detail::sort_device(detail::self(p), first, last, less),                                 \
                            detail::sort_loop(detail::along<P>(first), detail::along<P>(last), less))                   \
    }                                                                                                                   \
    template <typename P, typename It>                                                                                  \
    __CUDAIR_HD void name(const detail::execution_policy_base<P>& p, It first, It last) {                               \
        thrust::name(p, first, last, less<detail::value_of<It>>());                                                     \
    }                                                                                                                   \
    template <typename It, typename Less> __CUDAIR_HD void name(It first, It last, Less less) {                         \
        thrust::name(detail::policy_for<It>(), first, last, less);                                                      \
    }                                                                                                                   \
    template <typename It> __CUDAIR_HD void name(It first, It last) {                                                   \
        thrust::name(detail::policy_for<It>(), first, last, less<detail::value_of<It>>());                              \
    }                                                                                                                   \
    template <typename P, typename Keys, typename Values, typename Less>                                                \
    __CUDAIR_HD void name##_by_key(const detail::execution_policy_base<P>& p, Keys first, Keys last, Values values,     \
                                   Less less) {                                                                         \
        __CUDAIR_THRUST_RUN(                                                                                            \
            P, detail::sort_by_key_device(detail::self(p), first, last, values, less),                                  \
            detail::sort_by_key_loop(detail::along<P>(first), detail::along<P>(last), detail::along<P>(values), less))  \
    }                                                                                                                   \
    template <typename P, typename Keys, typename Values>                                                               \
    __CUDAIR_HD void name##_by_key(const detail::execution_policy_base<P>& p, Keys first, Keys last, Values values) {   \
        thrust::name##_by_key(p, first, last, values, less<detail::value_of<Keys>>());                                  \
    }                                                                                                                   \
    template <typename Keys, typename Values, typename Less>                                                            \
    __CUDAIR_HD void name##_by_key(Keys first, Keys last, Values values, Less less) {                                   \
        thrust::name##_by_key(detail::policy_for<Keys, Values>(), first, last, values, less);                           \
    }                                                                                                                   \
    template <typename Keys, typename Values> __CUDAIR_HD void name##_by_key(Keys first, Keys last, Values values) {    \
        thrust::name##_by_key(detail::policy_for<Keys, Values>(), first, last, values, less<detail::value_of<Keys>>()); \
    }
__CUDAIR_SORT(sort)
__CUDAIR_SORT(stable_sort)
#undef __CUDAIR_SORT

}

#endif
