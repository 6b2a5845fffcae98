#ifndef CUDAIR_THRUST_REPLACE_H
#define CUDAIR_THRUST_REPLACE_H

#include <thrust/detail/selection.h>
#include <thrust/transform.h>

namespace thrust {
namespace detail {

template <typename T> struct constant_value {
    T value;
    template <typename U> __host__ __device__ const T& operator()(const U&) const { return value; }
};
template <typename T, typename Pred> struct replaced {
    mutable Pred pred;
    T value;
    template <typename U> __host__ __device__ U operator()(const U& x) const { return pred(x) ? static_cast<U>(value) : x; }
    template <typename U, typename S> __host__ __device__ U operator()(const U& x, const S& s) const { return pred(s) ? static_cast<U>(value) : x; }
};

}

template <typename P, typename It, typename Pred, typename T>
__CUDAIR_HD void replace_if(const detail::execution_policy_base<P>& p, It first, It last, Pred pred, const T& value) {
    thrust::transform_if(p, first, last, first, detail::constant_value<T>{value}, pred);
}
template <typename P, typename It, typename Stencil, typename Pred, typename T>
__CUDAIR_HD void replace_if(const detail::execution_policy_base<P>& p, It first, It last, Stencil stencil, Pred pred, const T& value) {
    thrust::transform_if(p, first, last, stencil, first, detail::constant_value<T>{value}, pred);
}
template <typename It, typename Pred, typename T> __CUDAIR_HD void replace_if(It first, It last, Pred pred, const T& value) {
    thrust::replace_if(detail::policy_for<It>(), first, last, pred, value);
}
template <typename It, typename Stencil, typename Pred, typename T>
__CUDAIR_HD void replace_if(It first, It last, Stencil stencil, Pred pred, const T& value) {
    thrust::replace_if(detail::policy_for<It, Stencil>(), first, last, stencil, pred, value);
}
template <typename P, typename It, typename T>
__CUDAIR_HD void replace(const detail::execution_policy_base<P>& p, It first, It last, const T& old_value, const T& new_value) {
    thrust::replace_if(p, first, last, detail::equals_value<T>{old_value}, new_value);
}
template <typename It, typename T> __CUDAIR_HD void replace(It first, It last, const T& old_value, const T& new_value) {
    thrust::replace_if(detail::policy_for<It>(), first, last, detail::equals_value<T>{old_value}, new_value);
}
template <typename P, typename In, typename Out, typename Pred, typename T>
__CUDAIR_HD Out replace_copy_if(const detail::execution_policy_base<P>& p, In first, In last, Out out, Pred pred, const T& value) {
    return thrust::transform(p, first, last, out, detail::replaced<T, Pred>{pred, value});
}
template <typename P, typename In, typename Stencil, typename Out, typename Pred, typename T>
__CUDAIR_HD Out replace_copy_if(const detail::execution_policy_base<P>& p, In first, In last, Stencil stencil, Out out, Pred pred, const T& value) {
    return thrust::transform(p, first, last, stencil, out, detail::replaced<T, Pred>{pred, value});
}
template <typename In, typename Out, typename Pred, typename T> __CUDAIR_HD Out replace_copy_if(In first, In last, Out out, Pred pred, const T& value) {
    return thrust::replace_copy_if(detail::policy_for<In, Out>(), first, last, out, pred, value);
}
template <typename In, typename Stencil, typename Out, typename Pred, typename T>
__CUDAIR_HD Out replace_copy_if(In first, In last, Stencil stencil, Out out, Pred pred, const T& value) {
    return thrust::replace_copy_if(detail::policy_for<In, Stencil, Out>(), first, last, stencil, out, pred, value);
}
template <typename P, typename In, typename Out, typename T>
__CUDAIR_HD Out replace_copy(const detail::execution_policy_base<P>& p, In first, In last, Out out, const T& old_value, const T& new_value) {
    return thrust::replace_copy_if(p, first, last, out, detail::equals_value<T>{old_value}, new_value);
}
template <typename In, typename Out, typename T> __CUDAIR_HD Out replace_copy(In first, In last, Out out, const T& old_value, const T& new_value) {
    return thrust::replace_copy_if(first, last, out, detail::equals_value<T>{old_value}, new_value);
}

}

#endif
