#ifndef CUDAIR_THRUST_ADJACENT_DIFFERENCE_H
#define CUDAIR_THRUST_ADJACENT_DIFFERENCE_H

#include <thrust/detail/kernels.h>
#include <thrust/functional.h>

namespace thrust {
namespace detail {

/* Tiles from the end on, so that it may write where it reads. */
template <typename In, typename Out, typename F> __global__ void differences_kernel(long long n, In in, Out out, F f) {
    for (long long start = (n - 1) / THREADS * THREADS; start >= 0; start -= THREADS) {
        const long long i = start + threadIdx.x;
        const value_of<In> own = in[i < n ? i : n - 1], before = in[i > 0 && i < n ? i - 1 : 0];
        __syncthreads();
        if (i == 0) out[i] = own;
        else if (i < n) out[i] = f(own, before);
    }
}
template <typename P, typename In, typename Out, typename F> Out differences_device(const P& p, In first, In last, Out out, F f) {
    const long long n = last - first;
    if (n > 0) differences_kernel<<<1, int(THREADS), 0, p.cudair_stream()>>>(n, unwrap(first), unwrap(out), f);
    finish(p, "adjacent_difference: failed to synchronize");
    return out + n;
}
template <typename In, typename Out, typename F> __CUDAIR_HD Out differences_loop(In first, In last, Out out, F f) {
    if (first == last) return out;
    value_of<In> before = *first;
    *out = before;
    for (++first, ++out; first != last; ++first, ++out) {
        const value_of<In> own = *first;
        *out = f(own, before);
        before = own;
    }
    return out;
}

}

template <typename P, typename In, typename Out, typename F>
__CUDAIR_HD Out adjacent_difference(const detail::execution_policy_base<P>& p, In first, In last, Out out, F f) {
    __CUDAIR_THRUST_RUN(P, detail::differences_device(detail::self(p), first, last, out, f),
                        detail::rewrap(out, detail::differences_loop(detail::along<P>(first), detail::along<P>(last), detail::along<P>(out), f)))
}
template <typename P, typename In, typename Out>
__CUDAIR_HD Out adjacent_difference(const detail::execution_policy_base<P>& p, In first, In last, Out out) {
    return thrust::adjacent_difference(p, first, last, out, minus<>());
}
template <typename In, typename Out, typename F> __CUDAIR_HD Out adjacent_difference(In first, In last, Out out, F f) {
    return thrust::adjacent_difference(detail::policy_for<In, Out>(), first, last, out, f);
}
template <typename In, typename Out> __CUDAIR_HD Out adjacent_difference(In first, In last, Out out) {
    return thrust::adjacent_difference(detail::policy_for<In, Out>(), first, last, out, minus<>());
}

}

#endif
