/* reduce, reduce_by_key, transform_reduce, inner_product and count. */
#ifndef CUDAIR_THRUST_REDUCE_H
#define CUDAIR_THRUST_REDUCE_H

#include <thrust/detail/kernels.h>
#include <thrust/functional.h>

namespace thrust {
namespace detail {

static constexpr const char* in_reduce = "reduce: failed to synchronize";

template <typename T, typename A, typename B, typename F> struct load_product {
    A a;
    B b;
    mutable F f;
    __device__ T operator()(long long i) const { return static_cast<T>(f(a[i], b[i])); }
};
template <typename It, typename F, typename T, typename Op> __CUDAIR_HD T transform_reduce_loop(It first, It last, F f, T all, Op op) {
    for (; first != last; ++first) all = op(all, f(*first));
    return all;
}
template <typename P, typename It, typename F, typename T, typename Op>
T transform_reduce_device(const P& p, It first, It last, F f, T initial, Op op) {
    return reduce_all(p, last - first, load_through<T, plain_t<It>, F>{unwrap(first), f}, initial, op, in_reduce);
}
template <typename It, typename T, typename Op> __CUDAIR_HD T reduce_loop(It first, It last, T all, Op op) {
    for (; first != last; ++first) all = op(all, static_cast<T>(*first));
    return all;
}
template <typename P, typename It, typename T, typename Op> T reduce_device(const P& p, It first, It last, T initial, Op op) {
    return reduce_all(p, last - first, load_from<T, plain_t<It>>{unwrap(first)}, initial, op, in_reduce);
}
template <typename A, typename B, typename T, typename Op, typename F>
__CUDAIR_HD T inner_product_loop(A first, A last, B second, T all, Op op, F f) {
    for (; first != last; ++first, ++second) all = op(all, f(*first, *second));
    return all;
}
template <typename P, typename A, typename B, typename T, typename Op, typename F>
T inner_product_device(const P& p, A first, A last, B second, T initial, Op op, F f) {
    return reduce_all(p, last - first, load_product<T, plain_t<A>, plain_t<B>, F>{unwrap(first), unwrap(second), f}, initial, op, in_reduce);
}

template <typename Keys, typename Values, typename KeysOut, typename Out, typename Equal, typename Op>
__CUDAIR_HD pair<KeysOut, Out> reduce_by_key_loop(Keys first, Keys last, Values values, KeysOut keys_out, Out out, Equal equal, Op op) {
    if (first == last) return pair<KeysOut, Out>(keys_out, out);
    value_of<Keys> key = *first;
    value_of<Values> all = *values;
    value_of<Keys> before = key;
    for (++first, ++values; first != last; ++first, ++values) {
        const value_of<Keys> next = *first;
        if (equal(before, next)) {
            all = op(all, static_cast<value_of<Values>>(*values));
        } else {
            *keys_out = key;
            *out = all;
            ++keys_out;
            ++out;
            key = next;
            all = *values;
        }
        before = next;
    }
    *keys_out = key;
    *out = all;
    return pair<KeysOut, Out>(++keys_out, ++out);
}
template <typename P, typename Keys, typename Values, typename KeysOut, typename Out, typename Equal, typename Op>
pair<KeysOut, Out> reduce_by_key_device(const P& p, Keys first, Keys last, Values values, KeysOut keys_out, Out out, Equal equal, Op op) {
    typedef value_of<Values> T;
    const long long n = last - first;
    if (n == 0) return pair<KeysOut, Out>(keys_out, out);
    temporary<long long, P> count(p, 1);
    reduce_by_key_kernel<T><<<1, team<T>::size, 0, p.cudair_stream()>>>(n, unwrap(first), load_from<T, plain_t<Values>>{unwrap(values)},
                                                                        unwrap(keys_out), unwrap(out), equal, op, count.get());
    const long long runs = count.read(0, "reduce_by_key: failed to synchronize");
    return pair<KeysOut, Out>(keys_out + runs, out + runs);
}
template <typename F> struct counted {
    mutable F f;
    template <typename T> __host__ __device__ ptrdiff_t operator()(T&& x) const { return f(x) ? 1 : 0; }
};
template <typename T> struct counted_value {
    T value;
    template <typename U> __host__ __device__ ptrdiff_t operator()(const U& x) const { return x == value ? 1 : 0; }
};

}

template <typename P, typename It, typename T, typename Op>
__CUDAIR_HD T reduce(const detail::execution_policy_base<P>& p, It first, It last, T init, Op op) {
    __CUDAIR_THRUST_RUN(P, detail::reduce_device(detail::self(p), first, last, init, op),
                        detail::reduce_loop(detail::along<P>(first), detail::along<P>(last), init, op))
}
template <typename P, typename It, typename T> __CUDAIR_HD T reduce(const detail::execution_policy_base<P>& p, It first, It last, T init) {
    return thrust::reduce(p, first, last, init, plus<T>());
}
template <typename P, typename It> __CUDAIR_HD detail::value_of<It> reduce(const detail::execution_policy_base<P>& p, It first, It last) {
    return thrust::reduce(p, first, last, detail::value_of<It>(), plus<detail::value_of<It>>());
}
template <typename It, typename T, typename Op> __CUDAIR_HD T reduce(It first, It last, T init, Op op) {
    return thrust::reduce(detail::policy_for<It>(), first, last, init, op);
}
template <typename It, typename T> __CUDAIR_HD T reduce(It first, It last, T init) {
    return thrust::reduce(detail::policy_for<It>(), first, last, init, plus<T>());
}
template <typename It> __CUDAIR_HD detail::value_of<It> reduce(It first, It last) {
    return thrust::reduce(detail::policy_for<It>(), first, last, detail::value_of<It>(), plus<detail::value_of<It>>());
}

template <typename P, typename It, typename F, typename T, typename Op>
__CUDAIR_HD T transform_reduce(const detail::execution_policy_base<P>& p, It first, It last, F f, T init, Op op) {
    __CUDAIR_THRUST_RUN(P, detail::transform_reduce_device(detail::self(p), first, last, f, init, op),
                        detail::transform_reduce_loop(detail::along<P>(first), detail::along<P>(last), f, init, op))
}
template <typename It, typename F, typename T, typename Op> __CUDAIR_HD T transform_reduce(It first, It last, F f, T init, Op op) {
    return thrust::transform_reduce(detail::policy_for<It>(), first, last, f, init, op);
}

template <typename P, typename A, typename B, typename T, typename Op, typename F>
__CUDAIR_HD T inner_product(const detail::execution_policy_base<P>& p, A first, A last, B second, T init, Op op, F f) {
    __CUDAIR_THRUST_RUN(P, detail::inner_product_device(detail::self(p), first, last, second, init, op, f),
                        detail::inner_product_loop(detail::along<P>(first), detail::along<P>(last), detail::along<P>(second), init, op, f))
}
template <typename P, typename A, typename B, typename T>
__CUDAIR_HD T inner_product(const detail::execution_policy_base<P>& p, A first, A last, B second, T init) {
    return thrust::inner_product(p, first, last, second, init, plus<T>(), multiplies<T>());
}
template <typename A, typename B, typename T, typename Op, typename F>
__CUDAIR_HD T inner_product(A first, A last, B second, T init, Op op, F f) {
    return thrust::inner_product(detail::policy_for<A, B>(), first, last, second, init, op, f);
}
template <typename A, typename B, typename T> __CUDAIR_HD T inner_product(A first, A last, B second, T init) {
    return thrust::inner_product(detail::policy_for<A, B>(), first, last, second, init, plus<T>(), multiplies<T>());
}

template <typename P, typename It, typename Pred>
__CUDAIR_HD detail::difference_of<It> count_if(const detail::execution_policy_base<P>& p, It first, It last, Pred pred) {
    return thrust::transform_reduce(p, first, last, detail::counted<Pred>{pred}, ptrdiff_t(0), plus<ptrdiff_t>());
}
template <typename It, typename Pred> __CUDAIR_HD detail::difference_of<It> count_if(It first, It last, Pred pred) {
    return thrust::count_if(detail::policy_for<It>(), first, last, pred);
}
template <typename P, typename It, typename T>
__CUDAIR_HD detail::difference_of<It> count(const detail::execution_policy_base<P>& p, It first, It last, const T& value) {
    return thrust::transform_reduce(p, first, last, detail::counted_value<T>{value}, ptrdiff_t(0), plus<ptrdiff_t>());
}
template <typename It, typename T> __CUDAIR_HD detail::difference_of<It> count(It first, It last, const T& value) {
    return thrust::count(detail::policy_for<It>(), first, last, value);
}

template <typename P, typename Keys, typename Values, typename KeysOut, typename Out, typename Equal, typename Op>
__CUDAIR_HD pair<KeysOut, Out> reduce_by_key(const detail::execution_policy_base<P>& p, Keys first, Keys last, Values values, KeysOut keys_out,
                                             Out out, Equal equal, Op op) {
    __CUDAIR_THRUST_RUN(P, detail::reduce_by_key_device(detail::self(p), first, last, values, keys_out, out, equal, op),
                        detail::rewrap_both(keys_out, out, detail::reduce_by_key_loop(detail::along<P>(first), detail::along<P>(last), detail::along<P>(values),
                                                                       detail::along<P>(keys_out), detail::along<P>(out), equal, op)))
}
template <typename P, typename Keys, typename Values, typename KeysOut, typename Out, typename Equal>
__CUDAIR_HD pair<KeysOut, Out> reduce_by_key(const detail::execution_policy_base<P>& p, Keys first, Keys last, Values values, KeysOut keys_out,
                                             Out out, Equal equal) {
    return thrust::reduce_by_key(p, first, last, values, keys_out, out, equal, plus<detail::value_of<Values>>());
}
template <typename P, typename Keys, typename Values, typename KeysOut, typename Out>
__CUDAIR_HD pair<KeysOut, Out> reduce_by_key(const detail::execution_policy_base<P>& p, Keys first, Keys last, Values values, KeysOut keys_out,
                                             Out out) {
    return thrust::reduce_by_key(p, first, last, values, keys_out, out, equal_to<>(), plus<detail::value_of<Values>>());
}
template <typename Keys, typename Values, typename KeysOut, typename Out, typename Equal, typename Op>
__CUDAIR_HD pair<KeysOut, Out> reduce_by_key(Keys first, Keys last, Values values, KeysOut keys_out, Out out, Equal equal, Op op) {
    return thrust::reduce_by_key(detail::policy_for<Keys, Values, KeysOut, Out>(), first, last, values, keys_out, out, equal, op);
}
template <typename Keys, typename Values, typename KeysOut, typename Out, typename Equal>
__CUDAIR_HD pair<KeysOut, Out> reduce_by_key(Keys first, Keys last, Values values, KeysOut keys_out, Out out, Equal equal) {
    return thrust::reduce_by_key(first, last, values, keys_out, out, equal, plus<detail::value_of<Values>>());
}
template <typename Keys, typename Values, typename KeysOut, typename Out>
__CUDAIR_HD pair<KeysOut, Out> reduce_by_key(Keys first, Keys last, Values values, KeysOut keys_out, Out out) {
    return thrust::reduce_by_key(first, last, values, keys_out, out, equal_to<>(), plus<detail::value_of<Values>>());
}

}

#endif
