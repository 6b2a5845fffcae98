#ifndef CUDAIR_THRUST_TRANSFORM_H
#define CUDAIR_THRUST_TRANSFORM_H

#include <thrust/detail/core.h>

namespace thrust {
namespace detail {

template <typename In, typename Out, typename F> struct unary_at {
    In in;
    Out out;
    mutable F f;
    __device__ void operator()(long long i) const { out[i] = f(in[i]); }
};
template <typename A, typename B, typename Out, typename F> struct binary_at {
    A a;
    B b;
    Out out;
    mutable F f;
    __device__ void operator()(long long i) const { out[i] = f(a[i], b[i]); }
};
template <typename In, typename Stencil, typename Out, typename F, typename Pred> struct unary_if_at {
    In in;
    Stencil stencil;
    Out out;
    mutable F f;
    mutable Pred pred;
    __device__ void operator()(long long i) const {
        if (pred(stencil[i])) out[i] = f(in[i]);
    }
};
template <typename A, typename B, typename Stencil, typename Out, typename F, typename Pred> struct binary_if_at {
    A a;
    B b;
    Stencil stencil;
    Out out;
    mutable F f;
    mutable Pred pred;
    __device__ void operator()(long long i) const {
        if (pred(stencil[i])) out[i] = f(a[i], b[i]);
    }
};

template <typename In, typename Out, typename F> __CUDAIR_HD Out transform_loop(In first, In last, Out out, F f) {
    for (; first != last; ++first, ++out) *out = f(*first);
    return out;
}
template <typename A, typename B, typename Out, typename F> __CUDAIR_HD Out transform_loop(A first, A last, B second, Out out, F f) {
    for (; first != last; ++first, ++second, ++out) *out = f(*first, *second);
    return out;
}
template <typename In, typename Stencil, typename Out, typename F, typename Pred>
__CUDAIR_HD Out transform_if_loop(In first, In last, Stencil stencil, Out out, F f, Pred pred) {
    for (; first != last; ++first, ++stencil, ++out)
        if (pred(*stencil)) *out = f(*first);
    return out;
}
template <typename A, typename B, typename Stencil, typename Out, typename F, typename Pred>
__CUDAIR_HD Out transform_if_loop(A first, A last, B second, Stencil stencil, Out out, F f, Pred pred) {
    for (; first != last; ++first, ++second, ++stencil, ++out)
        if (pred(*stencil)) *out = f(*first, *second);
    return out;
}

static constexpr const char* in_transform = "transform: failed to synchronize";
template <typename P, typename In, typename Out, typename F> Out transform_device(const P& p, In first, In last, Out out, F f) {
    each(p, last - first, unary_at<plain_t<In>, plain_t<Out>, F>{unwrap(first), unwrap(out), f}, in_transform);
    return out + (last - first);
}
template <typename P, typename A, typename B, typename Out, typename F>
Out transform_device(const P& p, A first, A last, B second, Out out, F f) {
    each(p, last - first, binary_at<plain_t<A>, plain_t<B>, plain_t<Out>, F>{unwrap(first), unwrap(second), unwrap(out), f}, in_transform);
    return out + (last - first);
}
template <typename P, typename In, typename Stencil, typename Out, typename F, typename Pred>
Out transform_if_device(const P& p, In first, In last, Stencil stencil, Out out, F f, Pred pred) {
    each(p, last - first,
         unary_if_at<plain_t<In>, plain_t<Stencil>, plain_t<Out>, F, Pred>{unwrap(first), unwrap(stencil), unwrap(out), f, pred}, in_transform);
    return out + (last - first);
}
template <typename P, typename A, typename B, typename Stencil, typename Out, typename F, typename Pred>
Out transform_if_device(const P& p, A first, A last, B second, Stencil stencil, Out out, F f, Pred pred) {
    each(p, last - first,
         binary_if_at<plain_t<A>, plain_t<B>, plain_t<Stencil>, plain_t<Out>, F, Pred>{unwrap(first), unwrap(second), unwrap(stencil),
                                                                                     unwrap(out), f, pred},
         in_transform);
    return out + (last - first);
}

}

template <typename P, typename In, typename Out, typename F>
__CUDAIR_HD Out transform(const detail::execution_policy_base<P>& p, In first, In last, Out out, F f) {
    __CUDAIR_THRUST_RUN(P, detail::transform_device(detail::self(p), first, last, out, f),
                        detail::rewrap(out, detail::transform_loop(detail::along<P>(first), detail::along<P>(last), detail::along<P>(out), f)))
}
template <typename P, typename A, typename B, typename Out, typename F>
__CUDAIR_HD Out transform(const detail::execution_policy_base<P>& p, A first, A last, B second, Out out, F f) {
    __CUDAIR_THRUST_RUN(P, detail::transform_device(detail::self(p), first, last, second, out, f),
                        detail::rewrap(out, detail::transform_loop(detail::along<P>(first), detail::along<P>(last),
                                                                   detail::along<P>(second), detail::along<P>(out), f)))
}
template <typename In, typename Out, typename F> __CUDAIR_HD Out transform(In first, In last, Out out, F f) {
    return thrust::transform(detail::policy_for<In, Out>(), first, last, out, f);
}
template <typename A, typename B, typename Out, typename F> __CUDAIR_HD Out transform(A first, A last, B second, Out out, F f) {
    return thrust::transform(detail::policy_for<A, B, Out>(), first, last, second, out, f);
}

/* With the elements themselves as what decides, with a stencil, and of two ranges with a stencil. */
template <typename P, typename In, typename Stencil, typename Out, typename F, typename Pred>
__CUDAIR_HD Out transform_if(const detail::execution_policy_base<P>& p, In first, In last, Stencil stencil, Out out, F f, Pred pred) {
    __CUDAIR_THRUST_RUN(P, detail::transform_if_device(detail::self(p), first, last, stencil, out, f, pred),
                        detail::rewrap(out, detail::transform_if_loop(detail::along<P>(first), detail::along<P>(last),
                                                                      detail::along<P>(stencil), detail::along<P>(out), f, pred)))
}
template <typename P, typename In, typename Out, typename F, typename Pred>
__CUDAIR_HD Out transform_if(const detail::execution_policy_base<P>& p, In first, In last, Out out, F f, Pred pred) {
    return thrust::transform_if(p, first, last, first, out, f, pred);
}
template <typename P, typename A, typename B, typename Stencil, typename Out, typename F, typename Pred>
__CUDAIR_HD Out transform_if(const detail::execution_policy_base<P>& p, A first, A last, B second, Stencil stencil, Out out, F f, Pred pred) {
    __CUDAIR_THRUST_RUN(P, detail::transform_if_device(detail::self(p), first, last, second, stencil, out, f, pred),
                        detail::rewrap(out, detail::transform_if_loop(detail::along<P>(first), detail::along<P>(last), detail::along<P>(second),
                                                                      detail::along<P>(stencil), detail::along<P>(out), f, pred)))
}
template <typename In, typename Out, typename F, typename Pred> __CUDAIR_HD Out transform_if(In first, In last, Out out, F f, Pred pred) {
    return thrust::transform_if(detail::policy_for<In, Out>(), first, last, first, out, f, pred);
}
template <typename In, typename Stencil, typename Out, typename F, typename Pred>
__CUDAIR_HD Out transform_if(In first, In last, Stencil stencil, Out out, F f, Pred pred) {
    return thrust::transform_if(detail::policy_for<In, Stencil, Out>(), first, last, stencil, out, f, pred);
}
template <typename A, typename B, typename Stencil, typename Out, typename F, typename Pred>
__CUDAIR_HD Out transform_if(A first, A last, B second, Stencil stencil, Out out, F f, Pred pred) {
    return thrust::transform_if(detail::policy_for<A, B, Stencil, Out>(), first, last, second, stencil, out, f, pred);
}

}

#endif
