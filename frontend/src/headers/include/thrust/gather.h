/* gather and scatter: by a map of places. Places that two elements are scattered to are a race. */
#ifndef CUDAIR_THRUST_GATHER_H
#define CUDAIR_THRUST_GATHER_H

#include <thrust/detail/core.h>
#include <thrust/functional.h>

namespace thrust {
namespace detail {

struct is_true {
    template <typename T> __host__ __device__ bool operator()(const T& x) const { return bool(x); }
};
template <typename Map, typename In, typename Out> struct gather_at {
    Map map;
    In in;
    Out out;
    __device__ void operator()(long long i) const { out[i] = in[static_cast<value_of<Map>>(map[i])]; }
};
template <typename Map, typename Stencil, typename In, typename Out, typename Pred> struct gather_if_at {
    Map map;
    Stencil stencil;
    In in;
    Out out;
    mutable Pred pred;
    __device__ void operator()(long long i) const {
        if (pred(stencil[i])) out[i] = in[static_cast<value_of<Map>>(map[i])];
    }
};
template <typename In, typename Map, typename Out> struct scatter_at {
    In in;
    Map map;
    Out out;
    __device__ void operator()(long long i) const { out[static_cast<value_of<Map>>(map[i])] = in[i]; }
};
template <typename In, typename Map, typename Stencil, typename Out, typename Pred> struct scatter_if_at {
    In in;
    Map map;
    Stencil stencil;
    Out out;
    mutable Pred pred;
    __device__ void operator()(long long i) const {
        if (pred(stencil[i])) out[static_cast<value_of<Map>>(map[i])] = in[i];
    }
};
template <typename P, typename Map, typename In, typename Out> Out gather_device(const P& p, Map map, Map map_end, In in, Out out) {
    each(p, map_end - map, gather_at<plain_t<Map>, plain_t<In>, plain_t<Out>>{unwrap(map), unwrap(in), unwrap(out)}, "gather: failed to synchronize");
    return out + (map_end - map);
}
template <typename Map, typename In, typename Out> __CUDAIR_HD Out gather_loop(Map map, Map map_end, In in, Out out) {
    for (; map != map_end; ++map, ++out) *out = in[static_cast<value_of<Map>>(*map)];
    return out;
}
template <typename P, typename Map, typename Stencil, typename In, typename Out, typename Pred>
Out gather_if_device(const P& p, Map map, Map map_end, Stencil stencil, In in, Out out, Pred pred) {
    each(p, map_end - map,
         gather_if_at<plain_t<Map>, plain_t<Stencil>, plain_t<In>, plain_t<Out>, Pred>{unwrap(map), unwrap(stencil), unwrap(in), unwrap(out), pred},
         "gather: failed to synchronize");
    return out + (map_end - map);
}
template <typename Map, typename Stencil, typename In, typename Out, typename Pred>
__CUDAIR_HD Out gather_if_loop(Map map, Map map_end, Stencil stencil, In in, Out out, Pred pred) {
    for (; map != map_end; ++map, ++stencil, ++out)
        if (pred(*stencil)) *out = in[static_cast<value_of<Map>>(*map)];
    return out;
}
template <typename P, typename In, typename Map, typename Out> void scatter_device(const P& p, In first, In last, Map map, Out out) {
    each(p, last - first, scatter_at<plain_t<In>, plain_t<Map>, plain_t<Out>>{unwrap(first), unwrap(map), unwrap(out)}, "scatter: failed to synchronize");
}
template <typename In, typename Map, typename Out> __CUDAIR_HD void scatter_loop(In first, In last, Map map, Out out) {
    for (; first != last; ++first, ++map) out[static_cast<value_of<Map>>(*map)] = *first;
}
template <typename P, typename In, typename Map, typename Stencil, typename Out, typename Pred>
void scatter_if_device(const P& p, In first, In last, Map map, Stencil stencil, Out out, Pred pred) {
    each(p, last - first,
         scatter_if_at<plain_t<In>, plain_t<Map>, plain_t<Stencil>, plain_t<Out>, Pred>{unwrap(first), unwrap(map), unwrap(stencil), unwrap(out), pred},
         "scatter: failed to synchronize");
}
template <typename In, typename Map, typename Stencil, typename Out, typename Pred>
__CUDAIR_HD void scatter_if_loop(In first, In last, Map map, Stencil stencil, Out out, Pred pred) {
    for (; first != last; ++first, ++map, ++stencil)
        if (pred(*stencil)) out[static_cast<value_of<Map>>(*map)] = *first;
}

}

template <typename P, typename Map, typename In, typename Out>
__CUDAIR_HD Out gather(const detail::execution_policy_base<P>& p, Map map, Map map_end, In in, Out out) {
    __CUDAIR_THRUST_RUN(P, detail::gather_device(detail::self(p), map, map_end, in, out),
                        detail::rewrap(out, detail::gather_loop(detail::along<P>(map), detail::along<P>(map_end), detail::along<P>(in), detail::along<P>(out))))
}
template <typename Map, typename In, typename Out> __CUDAIR_HD Out gather(Map map, Map map_end, In in, Out out) {
    return thrust::gather(detail::policy_for<Map, In, Out>(), map, map_end, in, out);
}
template <typename P, typename Map, typename Stencil, typename In, typename Out, typename Pred>
__CUDAIR_HD Out gather_if(const detail::execution_policy_base<P>& p, Map map, Map map_end, Stencil stencil, In in, Out out, Pred pred) {
    __CUDAIR_THRUST_RUN(P, detail::gather_if_device(detail::self(p), map, map_end, stencil, in, out, pred),
                        detail::rewrap(out, detail::gather_if_loop(detail::along<P>(map), detail::along<P>(map_end), detail::along<P>(stencil),
                                                                   detail::along<P>(in), detail::along<P>(out), pred)))
}
template <typename P, typename Map, typename Stencil, typename In, typename Out>
__CUDAIR_HD Out gather_if(const detail::execution_policy_base<P>& p, Map map, Map map_end, Stencil stencil, In in, Out out) {
    return thrust::gather_if(p, map, map_end, stencil, in, out, detail::is_true());
}
template <typename Map, typename Stencil, typename In, typename Out, typename Pred>
__CUDAIR_HD Out gather_if(Map map, Map map_end, Stencil stencil, In in, Out out, Pred pred) {
    return thrust::gather_if(detail::policy_for<Map, Stencil, In, Out>(), map, map_end, stencil, in, out, pred);
}
template <typename Map, typename Stencil, typename In, typename Out>
__CUDAIR_HD Out gather_if(Map map, Map map_end, Stencil stencil, In in, Out out) {
    return thrust::gather_if(detail::policy_for<Map, Stencil, In, Out>(), map, map_end, stencil, in, out, detail::is_true());
}

template <typename P, typename In, typename Map, typename Out>
__CUDAIR_HD void scatter(const detail::execution_policy_base<P>& p, In first, In last, Map map, Out out) {
    __CUDAIR_THRUST_RUN(P, detail::scatter_device(detail::self(p), first, last, map, out),
                        detail::scatter_loop(detail::along<P>(first), detail::along<P>(last), detail::along<P>(map), detail::along<P>(out)))
}
template <typename In, typename Map, typename Out> __CUDAIR_HD void scatter(In first, In last, Map map, Out out) {
    thrust::scatter(detail::policy_for<In, Map, Out>(), first, last, map, out);
}
template <typename P, typename In, typename Map, typename Stencil, typename Out, typename Pred>
__CUDAIR_HD void scatter_if(const detail::execution_policy_base<P>& p, In first, In last, Map map, Stencil stencil, Out out, Pred pred) {
    __CUDAIR_THRUST_RUN(P, detail::scatter_if_device(detail::self(p), first, last, map, stencil, out, pred),
                        detail::scatter_if_loop(detail::along<P>(first), detail::along<P>(last), detail::along<P>(map), detail::along<P>(stencil),
                                                detail::along<P>(out), pred))
}
template <typename P, typename In, typename Map, typename Stencil, typename Out>
__CUDAIR_HD void scatter_if(const detail::execution_policy_base<P>& p, In first, In last, Map map, Stencil stencil, Out out) {
    thrust::scatter_if(p, first, last, map, stencil, out, detail::is_true());
}
template <typename In, typename Map, typename Stencil, typename Out, typename Pred>
__CUDAIR_HD void scatter_if(In first, In last, Map map, Stencil stencil, Out out, Pred pred) {
    thrust::scatter_if(detail::policy_for<In, Map, Stencil, Out>(), first, last, map, stencil, out, pred);
}
template <typename In, typename Map, typename Stencil, typename Out>
__CUDAIR_HD void scatter_if(In first, In last, Map map, Stencil stencil, Out out) {
    thrust::scatter_if(detail::policy_for<In, Map, Stencil, Out>(), first, last, map, stencil, out, detail::is_true());
}

}

#endif
