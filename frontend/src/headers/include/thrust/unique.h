/* Of runs of equal elements the first: unique, with keys and values, into other ranges, and how many there are. */
#ifndef CUDAIR_THRUST_UNIQUE_H
#define CUDAIR_THRUST_UNIQUE_H

#include <thrust/detail/selection.h>
#include <thrust/detail/sorting.h>
#include <thrust/reduce.h>

namespace thrust {
namespace detail {

template <typename It> struct value_of_values {
    typedef value_of<It> type;
};
template <> struct value_of_values<nothing> {
    typedef nothing type;
};
/* An element that is kept stays where it is until all before it have been asked, so this works in place. */
template <typename Keys, typename Values, typename KeysOut, typename ValuesOut, typename Equal> struct first_of_run {
    Keys keys;
    Values values;
    KeysOut keys_out;
    ValuesOut values_out;
    mutable Equal equal;
    typedef typename value_of_values<Values>::type Value;
    struct Taken {
        value_of<Keys> key;
        bool starts;
        Value value;
    };
    __device__ Taken take(long long i) const {
        const bool starts = i == 0 || !equal(static_cast<value_of<Keys>>(keys[i - 1]), static_cast<value_of<Keys>>(keys[i]));
        if constexpr (std::is_same<Values, nothing>::value) return Taken{keys[i], starts, nothing()};
        else return Taken{keys[i], starts, values[i]};
    }
    __device__ bool is_kept(long long, const Taken& x) const { return x.starts; }
    __device__ void keep(long long place, const Taken& x) const {
        keys_out[place] = x.key;
        if constexpr (!std::is_same<Values, nothing>::value) values_out[place] = x.value;
    }
    __device__ void drop(long long, const Taken&) const {}
};
template <typename P, typename Keys, typename Values, typename KeysOut, typename ValuesOut, typename Equal>
long long unique_device(const P& p, Keys keys, long long n, Values values, KeysOut keys_out, ValuesOut values_out, Equal equal) {
    return select(p, n, first_of_run<Keys, Values, KeysOut, ValuesOut, Equal>{keys, values, keys_out, values_out, equal},
                  "unique: failed to synchronize");
}
template <typename Keys, typename Values, typename KeysOut, typename ValuesOut, typename Equal>
__CUDAIR_HD pair<KeysOut, ValuesOut> unique_loop(Keys first, Keys last, Values values, KeysOut keys_out, ValuesOut values_out, Equal equal) {
    if (first == last) return pair<KeysOut, ValuesOut>(keys_out, values_out);
    value_of<Keys> before = *first;
    bool starts = true;
    while (first != last) {
        const value_of<Keys> key = *first;
        if (starts || !equal(before, key)) {
            *keys_out = key;
            ++keys_out;
            if constexpr (!std::is_same<Values, nothing>::value) {
                *values_out = *values;
                ++values_out;
            }
        }
        starts = false;
        before = key;
        ++first;
        if constexpr (!std::is_same<Values, nothing>::value) ++values;
    }
    return pair<KeysOut, ValuesOut>(keys_out, values_out);
}
template <typename P, typename In, typename Out, typename Equal> Out unique_copy_device(const P& p, In first, In last, Out out, Equal equal) {
    return out + unique_device(p, unwrap(first), last - first, nothing(), unwrap(out), nothing(), equal);
}
template <typename P, typename Keys, typename Values, typename KeysOut, typename ValuesOut, typename Equal>
pair<KeysOut, ValuesOut> unique_by_key_device(const P& p, Keys first, Keys last, Values values, KeysOut keys_out, ValuesOut values_out, Equal equal) {
    const long long n = unique_device(p, unwrap(first), last - first, unwrap(values), unwrap(keys_out), unwrap(values_out), equal);
    return pair<KeysOut, ValuesOut>(keys_out + n, values_out + n);
}
template <typename P, typename Keys, typename Values, typename KeysOut, typename ValuesOut, typename Equal>
__CUDAIR_HD pair<KeysOut, ValuesOut> unique_by_key_any(const execution_policy_base<P>& p, Keys first, Keys last, Values values, KeysOut keys_out,
                                                       ValuesOut values_out, Equal equal) {
    __CUDAIR_THRUST_RUN(P, unique_by_key_device(self(p), first, last, values, keys_out, values_out, equal),
                        rewrap_both(keys_out, values_out, unique_loop(along<P>(first), along<P>(last), along<P>(values), along<P>(keys_out), along<P>(values_out), equal)))
}
template <typename It, typename Equal> struct run_start {
    It it;
    mutable Equal equal;
    __host__ __device__ ptrdiff_t operator()(ptrdiff_t i) const { return i == 0 || !equal(it[i - 1], it[i]); }
};
template <typename T, typename F> struct load_index {
    mutable F f;
    __device__ T operator()(long long i) const { return f(i); }
};
template <typename P, typename It, typename Equal> ptrdiff_t unique_count_device(const P& p, It first, It last, Equal equal) {
    typedef run_start<plain_t<It>, Equal> Start;
    return reduce_all(p, last - first, load_index<ptrdiff_t, Start>{Start{unwrap(first), equal}}, ptrdiff_t(0), plus<ptrdiff_t>(),
                      "unique_count: failed to synchronize");
}
template <typename It, typename Equal> __CUDAIR_HD ptrdiff_t unique_count_loop(It first, It last, Equal equal) {
    if (first == last) return 0;
    ptrdiff_t n = 1;
    for (It next = first; ++next != last; first = next) n += equal(*first, *next) ? 0 : 1;
    return n;
}

}

template <typename P, typename In, typename Out, typename Equal>
__CUDAIR_HD Out unique_copy(const detail::execution_policy_base<P>& p, In first, In last, Out out, Equal equal) {
    __CUDAIR_THRUST_RUN(P, detail::unique_copy_device(detail::self(p), first, last, out, equal),
                        detail::rewrap(out, detail::unique_loop(detail::along<P>(first), detail::along<P>(last), detail::nothing(),
                                                                detail::along<P>(out), detail::nothing(), equal)
                                                .first))
}
template <typename P, typename In, typename Out> __CUDAIR_HD Out unique_copy(const detail::execution_policy_base<P>& p, In first, In last, Out out) {
    return thrust::unique_copy(p, first, last, out, equal_to<>());
}
template <typename In, typename Out, typename Equal> __CUDAIR_HD Out unique_copy(In first, In last, Out out, Equal equal) {
    return thrust::unique_copy(detail::policy_for<In, Out>(), first, last, out, equal);
}
template <typename In, typename Out> __CUDAIR_HD Out unique_copy(In first, In last, Out out) {
    return thrust::unique_copy(detail::policy_for<In, Out>(), first, last, out, equal_to<>());
}
template <typename P, typename It, typename Equal> __CUDAIR_HD It unique(const detail::execution_policy_base<P>& p, It first, It last, Equal equal) {
    return thrust::unique_copy(p, first, last, first, equal);
}
template <typename P, typename It> __CUDAIR_HD It unique(const detail::execution_policy_base<P>& p, It first, It last) {
    return thrust::unique_copy(p, first, last, first, equal_to<>());
}
template <typename It, typename Equal> __CUDAIR_HD It unique(It first, It last, Equal equal) {
    return thrust::unique_copy(detail::policy_for<It>(), first, last, first, equal);
}
template <typename It> __CUDAIR_HD It unique(It first, It last) { return thrust::unique_copy(detail::policy_for<It>(), first, last, first, equal_to<>()); }

template <typename P, typename Keys, typename Values, typename KeysOut, typename ValuesOut, typename Equal>
__CUDAIR_HD pair<KeysOut, ValuesOut> unique_by_key_copy(const detail::execution_policy_base<P>& p, Keys first, Keys last, Values values,
                                                        KeysOut keys_out, ValuesOut values_out, Equal equal) {
    return detail::unique_by_key_any(p, first, last, values, keys_out, values_out, equal);
}
template <typename P, typename Keys, typename Values, typename KeysOut, typename ValuesOut>
__CUDAIR_HD pair<KeysOut, ValuesOut> unique_by_key_copy(const detail::execution_policy_base<P>& p, Keys first, Keys last, Values values,
                                                        KeysOut keys_out, ValuesOut values_out) {
    return detail::unique_by_key_any(p, first, last, values, keys_out, values_out, equal_to<>());
}
template <typename Keys, typename Values, typename KeysOut, typename ValuesOut, typename Equal>
__CUDAIR_HD pair<KeysOut, ValuesOut> unique_by_key_copy(Keys first, Keys last, Values values, KeysOut keys_out, ValuesOut values_out, Equal equal) {
    return detail::unique_by_key_any(detail::policy_for<Keys, Values, KeysOut, ValuesOut>(), first, last, values, keys_out, values_out, equal);
}
template <typename Keys, typename Values, typename KeysOut, typename ValuesOut>
__CUDAIR_HD pair<KeysOut, ValuesOut> unique_by_key_copy(Keys first, Keys last, Values values, KeysOut keys_out, ValuesOut values_out) {
    return detail::unique_by_key_any(detail::policy_for<Keys, Values, KeysOut, ValuesOut>(), first, last, values, keys_out, values_out, equal_to<>());
}
template <typename P, typename Keys, typename Values, typename Equal>
__CUDAIR_HD pair<Keys, Values> unique_by_key(const detail::execution_policy_base<P>& p, Keys first, Keys last, Values values, Equal equal) {
    return detail::unique_by_key_any(p, first, last, values, first, values, equal);
}
template <typename P, typename Keys, typename Values>
__CUDAIR_HD pair<Keys, Values> unique_by_key(const detail::execution_policy_base<P>& p, Keys first, Keys last, Values values) {
    return detail::unique_by_key_any(p, first, last, values, first, values, equal_to<>());
}
template <typename Keys, typename Values, typename Equal>
__CUDAIR_HD pair<Keys, Values> unique_by_key(Keys first, Keys last, Values values, Equal equal) {
    return detail::unique_by_key_any(detail::policy_for<Keys, Values>(), first, last, values, first, values, equal);
}
template <typename Keys, typename Values> __CUDAIR_HD pair<Keys, Values> unique_by_key(Keys first, Keys last, Values values) {
    return detail::unique_by_key_any(detail::policy_for<Keys, Values>(), first, last, values, first, values, equal_to<>());
}

template <typename P, typename It, typename Equal>
__CUDAIR_HD detail::difference_of<It> unique_count(const detail::execution_policy_base<P>& p, It first, It last, Equal equal) {
    __CUDAIR_THRUST_RUN(P, detail::unique_count_device(detail::self(p), first, last, equal),
                        detail::unique_count_loop(detail::along<P>(first), detail::along<P>(last), equal))
}
template <typename P, typename It> __CUDAIR_HD detail::difference_of<It> unique_count(const detail::execution_policy_base<P>& p, It first, It last) {
    return thrust::unique_count(p, first, last, equal_to<>());
}
template <typename It, typename Equal> __CUDAIR_HD detail::difference_of<It> unique_count(It first, It last, Equal equal) {
    return thrust::unique_count(detail::policy_for<It>(), first, last, equal);
}
template <typename It> __CUDAIR_HD detail::difference_of<It> unique_count(It first, It last) {
    return thrust::unique_count(detail::policy_for<It>(), first, last, equal_to<>());
}

}

#endif
