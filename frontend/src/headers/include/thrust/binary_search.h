/* Searches in sorted ranges, for one value or for each of a range. */
#ifndef CUDAIR_THRUST_BINARY_SEARCH_H
#define CUDAIR_THRUST_BINARY_SEARCH_H

#include <thrust/detail/sorting.h>
#include <thrust/functional.h>

namespace thrust {
namespace detail {

template <typename It, typename T, typename Less> __CUDAIR_HD long long lower_place(It it, long long n, const T& value, Less less) {
    long long low = 0;
    while (n > 0) {
        const long long half = n / 2;
        if (less(it[low + half], value)) {
            low += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    return low;
}
template <typename It, typename T, typename Less> __CUDAIR_HD long long upper_place(It it, long long n, const T& value, Less less) {
    long long low = 0;
    while (n > 0) {
        const long long half = n / 2;
        if (less(value, it[low + half])) {
            n = half;
        } else {
            low += half + 1;
            n -= half + 1;
        }
    }
    return low;
}
struct find_lower {
    template <typename It, typename T, typename Less> __host__ __device__ static long long run(It it, long long n, const T& value, Less less) {
        return lower_place(it, n, value, less);
    }
};
struct find_upper {
    template <typename It, typename T, typename Less> __host__ __device__ static long long run(It it, long long n, const T& value, Less less) {
        return upper_place(it, n, value, less);
    }
};
struct find_whether {
    template <typename It, typename T, typename Less> __host__ __device__ static long long run(It it, long long n, const T& value, Less less) {
        const long long i = lower_place(it, n, value, less);
        return i < n && !less(value, it[i]);
    }
};

template <typename Search, typename It, typename Values, typename Out, typename Less> struct search_at {
    It it;
    long long n;
    Values values;
    Out out;
    mutable Less less;
    __device__ void operator()(long long i) const { out[i] = Search::run(it, n, static_cast<value_of<Values>>(values[i]), less); }
};
template <typename Search, typename It, typename T, typename Less> struct search_once {
    It it;
    long long n;
    T value;
    mutable Less less;
    long long* out;
    __device__ void operator()() const { *out = Search::run(it, n, value, less); }
};
template <typename Search, typename P, typename It, typename T, typename Less>
long long search_device(const P& p, It first, It last, const T& value, Less less) {
    temporary<long long, P> out(p, 1);
    one_thread<<<1, 1, 0, p.cudair_stream()>>>(search_once<Search, plain_t<It>, T, Less>{unwrap(first), last - first, value, less, out.get()});
    return out.read(0, "binary search: failed to synchronize");
}
template <typename Search, typename P, typename It, typename T, typename Less>
__CUDAIR_HD long long search_any(const execution_policy_base<P>& p, It first, It last, const T& value, Less less) {
    __CUDAIR_THRUST_RUN(P, search_device<Search>(self(p), first, last, value, less),
                        Search::run(along<P>(first), (long long)(last - first), value, less))
}
template <typename Search, typename P, typename It, typename Values, typename Out, typename Less>
Out search_each_device(const P& p, It first, It last, Values values, Values values_end, Out out, Less less) {
    each(p, values_end - values,
         search_at<Search, plain_t<It>, plain_t<Values>, plain_t<Out>, Less>{unwrap(first), last - first, unwrap(values), unwrap(out), less},
         "binary search: failed to synchronize");
    return out + (values_end - values);
}
template <typename Search, typename It, typename Values, typename Out, typename Less>
__CUDAIR_HD Out search_each_loop(It first, It last, Values values, Values values_end, Out out, Less less) {
    for (; values != values_end; ++values, ++out) *out = Search::run(first, last - first, static_cast<value_of<Values>>(*values), less);
    return out;
}
template <typename Search, typename P, typename It, typename Values, typename Out, typename Less>
__CUDAIR_HD Out search_each(const execution_policy_base<P>& p, It first, It last, Values values, Values values_end, Out out, Less less) {
    __CUDAIR_THRUST_RUN(P, search_each_device<Search>(self(p), first, last, values, values_end, out, less),
                        rewrap(out, search_each_loop<Search>(along<P>(first), along<P>(last), along<P>(values), along<P>(values_end),
                                                             along<P>(out), less)))
}

}

#define __CUDAIR_SEARCH(name, search, Result, result)                                                                   \
    template <typename P, typename It, typename T, typename Less>                                                       \
    __CUDAIR_HD Result name(const detail::execution_policy_base<P>& p, It first, It last, const T& value, Less less) {  \
        return result detail::search_any<detail::search>(p, first, last, value, less);                                  \
    }                                                                                                                   \
    template <typename P, typename It, typename T>                                                                      \
    __CUDAIR_HD Result name(const detail::execution_policy_base<P>& p, It first, It last, const T& value) {             \
        return result detail::search_any<detail::search>(p, first, last, value, less<>());                              \
    }                                                                                                                   \
    template <typename It, typename T, typename Less>                                                                   \
    __CUDAIR_HD Result name(It first, It last, const T& value, Less less) {                                             \
        return result detail::search_any<detail::search>(detail::policy_for<It>(), first, last, value, less);           \
    }                                                                                                                   \
    template <typename It, typename T> __CUDAIR_HD Result name(It first, It last, const T& value) {                     \
        return result detail::search_any<detail::search>(detail::policy_for<It>(), first, last, value, less<>());       \
    }                                                                                                                   \
    template <typename P, typename It, typename Values, typename Out, typename Less>                                    \
    __CUDAIR_HD Out name(const detail::execution_policy_base<P>& p, It first, It last, Values values,                   \
                         Values values_end, Out out, Less less) {                                                       \
        return detail::search_each<detail::search>(p, first, last, values, values_end, out, less);                      \
    }                                                                                                                   \
    template <typename P, typename It, typename Values, typename Out>                                                   \
    __CUDAIR_HD Out name(const detail::execution_policy_base<P>& p, It first, It last, Values values,                   \
                         Values values_end, Out out) {                                                                  \
        return detail::search_each<detail::search>(p, first, last, values, values_end, out, less<>());                  \
    }                                                                                                                   \
    template <typename It, typename Values, typename Out, typename Less>                                                \
    __CUDAIR_HD Out name(It first, It last, Values values, Values values_end, Out out, Less less) {                     \
        return detail::search_each<detail::search>(detail::policy_for<It, Values, Out>(), first, last, values,          \
                                                   values_end, out, less);                                              \
    }                                                                                                                   \
    template <typename It, typename Values, typename Out>                                                               \
    __CUDAIR_HD Out name(It first, It last, Values values, Values values_end, Out out) {                                \
        return detail::search_each<detail::search>(detail::policy_for<It, Values, Out>(), first, last, values,          \
                                                   values_end, out, less<>());                                          \
    }
__CUDAIR_SEARCH(lower_bound, find_lower, It, first +)
__CUDAIR_SEARCH(upper_bound, find_upper, It, first +)
__CUDAIR_SEARCH(binary_search, find_whether, bool, 0 !=)
#undef __CUDAIR_SEARCH
template <typename P, typename It, typename T, typename Less>
__CUDAIR_HD pair<It, It> equal_range(const detail::execution_policy_base<P>& p, It first, It last, const T& value, Less less) {
    return pair<It, It>(thrust::lower_bound(p, first, last, value, less), thrust::upper_bound(p, first, last, value, less));
}
template <typename P, typename It, typename T>
__CUDAIR_HD pair<It, It> equal_range(const detail::execution_policy_base<P>& p, It first, It last, const T& value) {
    return thrust::equal_range(p, first, last, value, less<>());
}
template <typename It, typename T, typename Less> __CUDAIR_HD pair<It, It> equal_range(It first, It last, const T& value, Less less) {
    return thrust::equal_range(detail::policy_for<It>(), first, last, value, less);
}
template <typename It, typename T> __CUDAIR_HD pair<It, It> equal_range(It first, It last, const T& value) {
    return thrust::equal_range(detail::policy_for<It>(), first, last, value, less<>());
}

}

#endif
