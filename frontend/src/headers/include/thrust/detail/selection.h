/* Selections: copy_if, remove, partition and unique with what belongs to them. */
#ifndef CUDAIR_THRUST_SELECTION_H
#define CUDAIR_THRUST_SELECTION_H

#include <thrust/functional.h>
#include <thrust/detail/kernels.h>

namespace thrust {
namespace detail {

struct no_output {
    template <typename T> __host__ __device__ void put(long long, const T&) const {}
};
template <typename Out> struct to_output {
    Out out;
    template <typename T> __host__ __device__ void put(long long i, const T& value) const { out[i] = value; }
};

/* What a predicate says of a stencil's elements. */
template <bool WANTED, typename In, typename Stencil, typename Kept, typename Dropped, typename Pred> struct choice {
    In in;
    Stencil stencil;
    Kept kept;
    Dropped dropped;
    mutable Pred pred;
    __device__ value_of<In> take(long long i) const { return in[i]; }
    __device__ bool is_kept(long long i, const value_of<In>&) const { return bool(pred(stencil[i])) == WANTED; }
    __device__ void keep(long long place, const value_of<In>& x) const { kept.put(place, x); }
    __device__ void drop(long long place, const value_of<In>& x) const { dropped.put(place, x); }
};
/* Where the elements are asked themselves, each is read once. */
template <bool WANTED, typename In, typename Kept, typename Dropped, typename Pred> struct own_choice {
    In in;
    Kept kept;
    Dropped dropped;
    mutable Pred pred;
    __device__ value_of<In> take(long long i) const { return in[i]; }
    __device__ bool is_kept(long long, const value_of<In>& x) const { return bool(pred(x)) == WANTED; }
    __device__ void keep(long long place, const value_of<In>& x) const { kept.put(place, x); }
    __device__ void drop(long long place, const value_of<In>& x) const { dropped.put(place, x); }
};
struct self_stencil {};

template <bool WANTED, typename P, typename In, typename Stencil, typename Kept, typename Dropped, typename Pred>
long long select_device(const P& p, In in, long long n, Stencil stencil, Kept kept, Dropped dropped, Pred pred, const char* what) {
    if constexpr (std::is_same<Stencil, self_stencil>::value)
        return select(p, n, own_choice<WANTED, In, Kept, Dropped, Pred>{in, kept, dropped, pred}, what);
    else
        return select(p, n, choice<WANTED, In, plain_t<Stencil>, Kept, Dropped, Pred>{in, unwrap(stencil), kept, dropped, pred}, what);
}

template <bool WANTED, typename In, typename Stencil, typename Out, typename Pred>
__CUDAIR_HD Out select_loop(In first, In last, Stencil stencil, Out out, Pred pred) {
    for (; first != last; ++first) {
        bool holds;
        if constexpr (std::is_same<Stencil, self_stencil>::value) {
            holds = pred(*first);
        } else {
            holds = pred(*stencil);
            ++stencil;
        }
        if (holds == WANTED) {
            *out = static_cast<value_of<In>>(*first);
            ++out;
        }
    }
    return out;
}
template <typename P> __CUDAIR_HD self_stencil along_stencil(self_stencil s) { return s; }
template <typename P, typename It> __CUDAIR_HD auto along_stencil(const It& it) { return along<P>(it); }

template <bool WANTED, typename P, typename In, typename Stencil, typename Out, typename Pred>
Out copy_chosen_device(const P& p, In first, In last, Stencil stencil, Out out, Pred pred) {
    return out + select_device<WANTED>(p, unwrap(first), last - first, stencil, to_output<plain_t<Out>>{unwrap(out)}, no_output{}, pred,
                                       "copy_if: failed to synchronize");
}
template <bool WANTED, typename P, typename In, typename Stencil, typename Out, typename Pred>
__CUDAIR_HD Out copy_chosen(const execution_policy_base<P>& p, In first, In last, Stencil stencil, Out out, Pred pred) {
    __CUDAIR_THRUST_RUN(P, copy_chosen_device<WANTED>(self(p), first, last, stencil, out, pred),
                        rewrap(out, select_loop<WANTED>(along<P>(first), along<P>(last), along_stencil<P>(stencil), along<P>(out), pred)))
}

template <typename T> struct equals_value {
    T value;
    template <typename U> __host__ __device__ bool operator()(const U& x) const { return x == value; }
};

}

template <typename P, typename In, typename Out, typename Pred>
__CUDAIR_HD Out copy_if(const detail::execution_policy_base<P>& p, In first, In last, Out out, Pred pred) {
    return detail::copy_chosen<true>(p, first, last, detail::self_stencil(), out, pred);
}
template <typename P, typename In, typename Stencil, typename Out, typename Pred>
__CUDAIR_HD Out copy_if(const detail::execution_policy_base<P>& p, In first, In last, Stencil stencil, Out out, Pred pred) {
    return detail::copy_chosen<true>(p, first, last, stencil, out, pred);
}
template <typename In, typename Out, typename Pred> __CUDAIR_HD Out copy_if(In first, In last, Out out, Pred pred) {
    return detail::copy_chosen<true>(detail::policy_for<In, Out>(), first, last, detail::self_stencil(), out, pred);
}
template <typename In, typename Stencil, typename Out, typename Pred>
__CUDAIR_HD Out copy_if(In first, In last, Stencil stencil, Out out, Pred pred) {
    return detail::copy_chosen<true>(detail::policy_for<In, Stencil, Out>(), first, last, stencil, out, pred);
}

template <typename P, typename In, typename Out, typename Pred>
__CUDAIR_HD Out remove_copy_if(const detail::execution_policy_base<P>& p, In first, In last, Out out, Pred pred) {
    return detail::copy_chosen<false>(p, first, last, detail::self_stencil(), out, pred);
}
template <typename P, typename In, typename Stencil, typename Out, typename Pred>
__CUDAIR_HD Out remove_copy_if(const detail::execution_policy_base<P>& p, In first, In last, Stencil stencil, Out out, Pred pred) {
    return detail::copy_chosen<false>(p, first, last, stencil, out, pred);
}
template <typename In, typename Out, typename Pred> __CUDAIR_HD Out remove_copy_if(In first, In last, Out out, Pred pred) {
    return detail::copy_chosen<false>(detail::policy_for<In, Out>(), first, last, detail::self_stencil(), out, pred);
}
template <typename In, typename Stencil, typename Out, typename Pred>
__CUDAIR_HD Out remove_copy_if(In first, In last, Stencil stencil, Out out, Pred pred) {
    return detail::copy_chosen<false>(detail::policy_for<In, Stencil, Out>(), first, last, stencil, out, pred);
}
template <typename P, typename In, typename Out, typename T>
__CUDAIR_HD Out remove_copy(const detail::execution_policy_base<P>& p, In first, In last, Out out, const T& value) {
    return thrust::remove_copy_if(p, first, last, out, detail::equals_value<T>{value});
}
template <typename In, typename Out, typename T> __CUDAIR_HD Out remove_copy(In first, In last, Out out, const T& value) {
    return thrust::remove_copy_if(first, last, out, detail::equals_value<T>{value});
}

/* In place: what is kept never moves up. */
template <typename P, typename It, typename Pred>
__CUDAIR_HD It remove_if(const detail::execution_policy_base<P>& p, It first, It last, Pred pred) {
    return thrust::remove_copy_if(p, first, last, first, pred);
}
template <typename P, typename It, typename Stencil, typename Pred>
__CUDAIR_HD It remove_if(const detail::execution_policy_base<P>& p, It first, It last, Stencil stencil, Pred pred) {
    return detail::copy_chosen<false>(p, first, last, stencil, first, pred);
}
template <typename It, typename Pred> __CUDAIR_HD It remove_if(It first, It last, Pred pred) {
    return thrust::remove_if(detail::policy_for<It>(), first, last, pred);
}
template <typename It, typename Stencil, typename Pred> __CUDAIR_HD It remove_if(It first, It last, Stencil stencil, Pred pred) {
    return thrust::remove_if(detail::policy_for<It, Stencil>(), first, last, stencil, pred);
}
template <typename P, typename It, typename T> __CUDAIR_HD It remove(const detail::execution_policy_base<P>& p, It first, It last, const T& value) {
    return thrust::remove_if(p, first, last, detail::equals_value<T>{value});
}
template <typename It, typename T> __CUDAIR_HD It remove(It first, It last, const T& value) {
    return thrust::remove_if(first, last, detail::equals_value<T>{value});
}

}

#endif
