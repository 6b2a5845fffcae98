/* Operations on sorted ranges as sets, in which an element may be several times. The k-th of equal elements of one range
   has a partner if the other has more than k. */
#ifndef CUDAIR_THRUST_SET_OPERATIONS_H
#define CUDAIR_THRUST_SET_OPERATIONS_H

#include <thrust/binary_search.h>
#include <thrust/detail/kernels.h>
#include <thrust/merge.h>

namespace thrust {
namespace detail {

/* The elements of one range with a partner in the other, or without. */
template <bool PARTNERED, typename A, typename B, typename VA, typename Out, typename VOut, typename Less> struct set_choice {
    A a;
    long long n;
    B b;
    long long m;
    VA va;
    Out out;
    VOut vout;
    mutable Less less;
    __device__ long long take(long long i) const { return i; }
    __device__ bool is_kept(long long i, long long) const {
        const value_of<A> x = a[i];
        const long long rank = i - lower_place(a, n, x, less);
        const long long partners = upper_place(b, m, x, less) - lower_place(b, m, x, less);
        return (rank < partners) == PARTNERED;
    }
    __device__ void keep(long long place, long long i) const {
        out[place] = a[i];
        if constexpr (!std::is_same<VA, nothing>::value) vout[place] = va[i];
    }
    __device__ void drop(long long, long long) const {}
};
template <bool PARTNERED, typename P, typename A, typename B, typename VA, typename Out, typename VOut, typename Less>
long long set_select(const P& p, A a, long long n, B b, long long m, VA va, Out out, VOut vout, Less less) {
    return select(p, n, set_choice<PARTNERED, A, B, VA, Out, VOut, Less>{a, n, b, m, va, out, vout, less}, "set operation: failed to synchronize");
}

enum set_kind { SET_INTERSECTION, SET_DIFFERENCE, SET_UNION, SET_SYMMETRIC_DIFFERENCE };
template <typename It> struct values_temporary {
    typedef value_of<It> type;
};
template <> struct values_temporary<nothing> {
    typedef nothing type;
};
template <typename T> T* values_or_nothing(T* p) { return p; }
inline nothing values_or_nothing(nothing*) { return nothing(); }

/* How many elements came of it. */
template <set_kind KIND, typename P, typename A, typename B, typename VA, typename VB, typename Out, typename VOut, typename Less>
long long set_device(const P& p, A a, long long n, B b, long long m, VA va, VB vb, Out out, VOut vout, Less less) {
    if constexpr (KIND == SET_INTERSECTION) {
        return set_select<true>(p, a, n, b, m, va, out, vout, less);
    } else if constexpr (KIND == SET_DIFFERENCE) {
        return set_select<false>(p, a, n, b, m, va, out, vout, less);
    } else {
        typedef value_of<A> K;
        typedef typename values_temporary<VA>::type V;
        constexpr bool VALUES = !std::is_same<VA, nothing>::value;
        temporary<K, P> keys(p, n + m);
        temporary<V, P> values(p, VALUES ? n + m : 0);
        K* const ka = keys.get();
        V* const wa = values.get();
        long long of_a = n;
        if constexpr (KIND == SET_SYMMETRIC_DIFFERENCE) of_a = set_select<false>(p, a, n, b, m, va, ka, values_or_nothing(wa), less);
        const long long of_b = set_select<false>(p, b, m, a, n, vb, ka + n, values_or_nothing(wa + (VALUES ? n : 0)), less);
        if constexpr (KIND == SET_UNION)
            merge_async(p, a, n, ka + n, of_b, va, values_or_nothing(wa + (VALUES ? n : 0)), out, vout, less);
        else
            merge_async(p, ka, of_a, ka + n, of_b, values_or_nothing(wa), values_or_nothing(wa + (VALUES ? n : 0)), out, vout, less);
        finish(p, "set operation: failed to synchronize");
        return of_a + of_b;
    }
}
template <typename Out> struct set_sink {
    Out out;
    template <typename It> __host__ __device__ void put(It it) {
        if constexpr (!std::is_same<Out, nothing>::value) {
            *out = *it;
            ++out;
        }
    }
};
template <typename It> __CUDAIR_HD void step(It& it) {
    if constexpr (!std::is_same<It, nothing>::value) ++it;
}
template <set_kind KIND, typename A, typename B, typename VA, typename VB, typename Out, typename VOut, typename Less>
__CUDAIR_HD pair<Out, VOut> set_loop(A a, A a_end, B b, B b_end, VA va, VB vb, Out out, VOut vout, Less less) {
    set_sink<Out> keys{out};
    set_sink<VOut> values{vout};
    while (a != a_end || b != b_end) {
        const bool first = b == b_end || (a != a_end && less(*a, *b)), second = !first && (a == a_end || less(*b, *a));
        if (first) {
            if (KIND != SET_INTERSECTION) {
                keys.put(a);
                if constexpr (!std::is_same<VA, nothing>::value) values.put(va);
            }
        } else if (second) {
            if (KIND == SET_UNION || KIND == SET_SYMMETRIC_DIFFERENCE) {
                keys.put(b);
                if constexpr (!std::is_same<VB, nothing>::value) values.put(vb);
            }
        } else if (KIND == SET_INTERSECTION || KIND == SET_UNION) {
            keys.put(a);
            if constexpr (!std::is_same<VA, nothing>::value) values.put(va);
        }
        if (!second) {
            ++a;
            step(va);
        }
        if (!first) {
            ++b;
            step(vb);
        }
    }
    return pair<Out, VOut>(keys.out, values.out);
}
template <set_kind KIND, typename P, typename A, typename B, typename Out, typename Less>
Out set_out_device(const P& p, A a, A a_end, B b, B b_end, Out out, Less less) {
    const nothing none{};
    return out + set_device<KIND>(p, unwrap(a), a_end - a, unwrap(b), b_end - b, none, none, unwrap(out), none, less);
}
template <set_kind KIND, typename P, typename A, typename B, typename Out, typename Less>
__CUDAIR_HD Out set_any(const execution_policy_base<P>& p, A a, A a_end, B b, B b_end, Out out, Less less) {
    __CUDAIR_THRUST_RUN(P, set_out_device<KIND>(self(p), a, a_end, b, b_end, out, less),
                        rewrap(out, set_loop<KIND>(along<P>(a), along<P>(a_end), along<P>(b), along<P>(b_end), nothing(), nothing(), along<P>(out),
                                                   nothing(), less)
                                        .first))
}
template <set_kind KIND, typename P, typename A, typename B, typename VA, typename VB, typename Out, typename VOut, typename Less>
pair<Out, VOut> set_by_key_device(const P& p, A a, A a_end, B b, B b_end, VA va, VB vb, Out out, VOut vout, Less less) {
    const long long n = set_device<KIND>(p, unwrap(a), a_end - a, unwrap(b), b_end - b, unwrap(va), unwrap(vb), unwrap(out), unwrap(vout), less);
    return pair<Out, VOut>(out + n, vout + n);
}
template <set_kind KIND, typename P, typename A, typename B, typename VA, typename VB, typename Out, typename VOut, typename Less>
__CUDAIR_HD pair<Out, VOut> set_by_key_any(const execution_policy_base<P>& p, A a, A a_end, B b, B b_end, VA va, VB vb, Out out, VOut vout, Less less) {
    __CUDAIR_THRUST_RUN(P, set_by_key_device<KIND>(self(p), a, a_end, b, b_end, va, vb, out, vout, less),
                        rewrap_both(out, vout, set_loop<KIND>(along<P>(a), along<P>(a_end), along<P>(b), along<P>(b_end), along<P>(va), along<P>(vb),
                                                              along<P>(out), along<P>(vout), less)))
}

}

#define __CUDAIR_SET(name, KIND)                                                                                        \
    template <typename P, typename A, typename B, typename Out, typename Less>                                          \
    __CUDAIR_HD Out name(const detail::execution_policy_base<P>& p, A a, A a_end, B b, B b_end, Out out, Less less) {   \
        return detail::set_any<detail::KIND>(p, a, a_end, b, b_end, out, less);                                         \
    }                                                                                                                   \
    template <typename P, typename A, typename B, typename Out>                                                         \
    __CUDAIR_HD Out name(const detail::execution_policy_base<P>& p, A a, A a_end, B b, B b_end, Out out) {              \
        return detail::set_any<detail::KIND>(p, a, a_end, b, b_end, out, less<>());                                     \
    }                                                                                                                   \
    template <typename A, typename B, typename Out, typename Less>                                                      \
    __CUDAIR_HD Out name(A a, A a_end, B b, B b_end, Out out, Less less) {                                              \
        return detail::set_any<detail::KIND>(detail::policy_for<A, B, Out>(), a, a_end, b, b_end, out, less);           \
    }                                                                                                                   \
    template <typename A, typename B, typename Out> __CUDAIR_HD Out name(A a, A a_end, B b, B b_end, Out out) {         \
        return detail::set_any<detail::KIND>(detail::policy_for<A, B, Out>(), a, a_end, b, b_end, out, less<>());       \
    }
__CUDAIR_SET(set_intersection, SET_INTERSECTION)
__CUDAIR_SET(set_difference, SET_DIFFERENCE)
__CUDAIR_SET(set_union, SET_UNION)
__CUDAIR_SET(set_symmetric_difference, SET_SYMMETRIC_DIFFERENCE)
#undef __CUDAIR_SET
#define __CUDAIR_SET(name, KIND)                                                                                        \
    template <typename P, typename A, typename B, typename VA, typename VB, typename Out, typename VOut, typename Less> \
    __CUDAIR_HD pair<Out, VOut> name(const detail::execution_policy_base<P>& p, A a, A a_end, B b, B b_end, VA va,      \
                                     VB vb, Out out, VOut vout, Less less) {                                            \
        return detail::set_by_key_any<detail::KIND>(p, a, a_end, b, b_end, va, vb, out, vout, less);                    \
    }                                                                                                                   \
    template <typename P, typename A, typename B, typename VA, typename VB, typename Out, typename VOut>                \
    __CUDAIR_HD pair<Out, VOut> name(const detail::execution_policy_base<P>& p, A a, A a_end, B b, B b_end, VA va,      \
                                     VB vb, Out out, VOut vout) {                                                       \
        return detail::set_by_key_any<detail::KIND>(p, a, a_end, b, b_end, va, vb, out, vout, less<>());                \
    }                                                                                                                   \
    template <typename A, typename B, typename VA, typename VB, typename Out, typename VOut, typename Less>             \
    __CUDAIR_HD pair<Out, VOut> name(A a, A a_end, B b, B b_end, VA va, VB vb, Out out, VOut vout, Less less) {         \
        return detail::set_by_key_any<detail::KIND>(detail::policy_for<A, B, VA, VB, Out, VOut>(), a, a_end, b, b_end,  \
                                                    va, vb, out, vout, less);                                           \
    }                                                                                                                   \
    template <typename A, typename B, typename VA, typename VB, typename Out, typename VOut>                            \
    __CUDAIR_HD pair<Out, VOut> name(A a, A a_end, B b, B b_end, VA va, VB vb, Out out, VOut vout) {                    \
        return detail::set_by_key_any<detail::KIND>(detail::policy_for<A, B, VA, VB, Out, VOut>(), a, a_end, b, b_end,  \
                                                    va, vb, out, vout, less<>());                                       \
    }
__CUDAIR_SET(set_difference_by_key, SET_DIFFERENCE)
__CUDAIR_SET(set_union_by_key, SET_UNION)
__CUDAIR_SET(set_symmetric_difference_by_key, SET_SYMMETRIC_DIFFERENCE)
#undef __CUDAIR_SET
/* An intersection takes values of the first range only. */
template <typename P, typename A, typename B, typename VA, typename Out, typename VOut, typename Less>
__CUDAIR_HD pair<Out, VOut> set_intersection_by_key(const detail::execution_policy_base<P>& p, A a, A a_end, B b, B b_end, VA va, Out out,
                                                    VOut vout, Less less) {
    return detail::set_by_key_any<detail::SET_INTERSECTION>(p, a, a_end, b, b_end, va, va, out, vout, less);
}
template <typename P, typename A, typename B, typename VA, typename Out, typename VOut>
__CUDAIR_HD pair<Out, VOut> set_intersection_by_key(const detail::execution_policy_base<P>& p, A a, A a_end, B b, B b_end, VA va, Out out, VOut vout) {
    return thrust::set_intersection_by_key(p, a, a_end, b, b_end, va, out, vout, less<>());
}
template <typename A, typename B, typename VA, typename Out, typename VOut, typename Less>
__CUDAIR_HD pair<Out, VOut> set_intersection_by_key(A a, A a_end, B b, B b_end, VA va, Out out, VOut vout, Less less) {
    return thrust::set_intersection_by_key(detail::policy_for<A, B, VA, Out, VOut>(), a, a_end, b, b_end, va, out, vout, less);
}
template <typename A, typename B, typename VA, typename Out, typename VOut>
__CUDAIR_HD pair<Out, VOut> set_intersection_by_key(A a, A a_end, B b, B b_end, VA va, Out out, VOut vout) {
    return thrust::set_intersection_by_key(detail::policy_for<A, B, VA, Out, VOut>(), a, a_end, b, b_end, va, out, vout, less<>());
}

}

#endif
