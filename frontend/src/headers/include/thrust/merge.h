/* merge, with keys and values too: each thread of the device makes a piece of the result. */
#ifndef CUDAIR_THRUST_MERGE_H
#define CUDAIR_THRUST_MERGE_H

#include <thrust/detail/sorting.h>
#include <thrust/functional.h>

namespace thrust {
namespace detail {

template <typename A, typename B, typename VA, typename VB, typename Out, typename VOut, typename Less> struct merge_piece {
    static constexpr int PIECE = 16;
    A a;
    long long n;
    B b;
    long long m;
    VA va;
    VB vb;
    Out out;
    VOut vout;
    mutable Less less;
    __device__ void operator()(long long piece) const {
        long long at = piece * PIECE;
        const long long end = at + PIECE < n + m ? at + PIECE : n + m;
        long long i = merge_path(a, n, b, m, at, less), j = at - i;
        for (; at < end; at++) {
            const bool second = i >= n || (j < m && less(b[j], a[i]));
            if (second) out[at] = b[j];
            else out[at] = a[i];
            if constexpr (!std::is_same<VA, nothing>::value) {
                if (second) vout[at] = vb[j];
                else vout[at] = va[i];
            }
            i += !second;
            j += second;
        }
    }
};
template <typename P, typename A, typename B, typename VA, typename VB, typename Out, typename VOut, typename Less>
void merge_async(const P& p, A a, long long n, B b, long long m, VA va, VB vb, Out out, VOut vout, Less less) {
    typedef merge_piece<A, B, VA, VB, Out, VOut, Less> Piece;
    each_async(p, (n + m + Piece::PIECE - 1) / Piece::PIECE, Piece{a, n, b, m, va, vb, out, vout, less});
}
template <typename A, typename B, typename VA, typename VB, typename Out, typename VOut, typename Less>
__CUDAIR_HD pair<Out, VOut> merge_loop(A a, A a_end, B b, B b_end, VA va, VB vb, Out out, VOut vout, Less less) {
    constexpr bool VALUES = !std::is_same<VA, nothing>::value;
    while (a != a_end || b != b_end) {
        const bool second = a == a_end || (b != b_end && less(*b, *a));
        if (second) {
            *out = *b;
            ++b;
        } else {
            *out = *a;
            ++a;
        }
        ++out;
        if constexpr (VALUES) {
            if (second) {
                *vout = *vb;
                ++vb;
            } else {
                *vout = *va;
                ++va;
            }
            ++vout;
        }
    }
    return pair<Out, VOut>(out, vout);
}
template <typename P, typename A, typename B, typename Out, typename Less>
Out merge_device(const P& p, A a, A a_end, B b, B b_end, Out out, Less less) {
    const nothing none{};
    merge_async(p, unwrap(a), a_end - a, unwrap(b), b_end - b, none, none, unwrap(out), none, less);
    finish(p, "merge: failed to synchronize");
    return out + ((a_end - a) + (b_end - b));
}
template <typename P, typename A, typename B, typename VA, typename VB, typename Out, typename VOut, typename Less>
pair<Out, VOut> merge_by_key_device(const P& p, A a, A a_end, B b, B b_end, VA va, VB vb, Out out, VOut vout, Less less) {
    merge_async(p, unwrap(a), a_end - a, unwrap(b), b_end - b, unwrap(va), unwrap(vb), unwrap(out), unwrap(vout), less);
    finish(p, "merge_by_key: failed to synchronize");
    const ptrdiff_t n = (a_end - a) + (b_end - b);
    return pair<Out, VOut>(out + n, vout + n);
}

}

template <typename P, typename A, typename B, typename Out, typename Less>
__CUDAIR_HD Out merge(const detail::execution_policy_base<P>& p, A a, A a_end, B b, B b_end, Out out, Less less) {
    __CUDAIR_THRUST_RUN(P, detail::merge_device(detail::self(p), a, a_end, b, b_end, out, less),
                        detail::rewrap(out, detail::merge_loop(detail::along<P>(a), detail::along<P>(a_end), detail::along<P>(b), detail::along<P>(b_end),
                                                               detail::nothing(), detail::nothing(), detail::along<P>(out), detail::nothing(), less)
                                                .first))
}
template <typename P, typename A, typename B, typename Out>
__CUDAIR_HD Out merge(const detail::execution_policy_base<P>& p, A a, A a_end, B b, B b_end, Out out) {
    return thrust::merge(p, a, a_end, b, b_end, out, less<>());
}
template <typename A, typename B, typename Out, typename Less> __CUDAIR_HD Out merge(A a, A a_end, B b, B b_end, Out out, Less less) {
    return thrust::merge(detail::policy_for<A, B, Out>(), a, a_end, b, b_end, out, less);
}
template <typename A, typename B, typename Out> __CUDAIR_HD Out merge(A a, A a_end, B b, B b_end, Out out) {
    return thrust::merge(detail::policy_for<A, B, Out>(), a, a_end, b, b_end, out, less<>());
}
template <typename P, typename A, typename B, typename VA, typename VB, typename Out, typename VOut, typename Less>
__CUDAIR_HD pair<Out, VOut> merge_by_key(const detail::execution_policy_base<P>& p, A a, A a_end, B b, B b_end, VA va, VB vb, Out out, VOut vout, Less less) {
    __CUDAIR_THRUST_RUN(P, detail::merge_by_key_device(detail::self(p), a, a_end, b, b_end, va, vb, out, vout, less),
                        detail::rewrap_both(out, vout,
                                            detail::merge_loop(detail::along<P>(a), detail::along<P>(a_end), detail::along<P>(b), detail::along<P>(b_end),
                                                               detail::along<P>(va), detail::along<P>(vb), detail::along<P>(out),
                                                               detail::along<P>(vout), less)))
}
template <typename P, typename A, typename B, typename VA, typename VB, typename Out, typename VOut>
__CUDAIR_HD pair<Out, VOut> merge_by_key(const detail::execution_policy_base<P>& p, A a, A a_end, B b, B b_end, VA va, VB vb, Out out, VOut vout) {
    return thrust::merge_by_key(p, a, a_end, b, b_end, va, vb, out, vout, less<>());
}
template <typename A, typename B, typename VA, typename VB, typename Out, typename VOut, typename Less>
__CUDAIR_HD pair<Out, VOut> merge_by_key(A a, A a_end, B b, B b_end, VA va, VB vb, Out out, VOut vout, Less less) {
    return thrust::merge_by_key(detail::policy_for<A, B, VA, VB, Out, VOut>(), a, a_end, b, b_end, va, vb, out, vout, less);
}
template <typename A, typename B, typename VA, typename VB, typename Out, typename VOut>
__CUDAIR_HD pair<Out, VOut> merge_by_key(A a, A a_end, B b, B b_end, VA va, VB vb, Out out, VOut vout) {
    return thrust::merge_by_key(detail::policy_for<A, B, VA, VB, Out, VOut>(), a, a_end, b, b_end, va, vb, out, vout, less<>());
}

}

#endif
