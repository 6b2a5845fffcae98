/* Pairs and tuples whose members all run on both sides. */
#ifndef CUDAIR_THRUST_TUPLE_H
#define CUDAIR_THRUST_TUPLE_H

#if __cplusplus < 201402L
#error "cudair: Thrust and CUB under C++11: -std=c++14 is the oldest that its headers take"
#endif
#include <cstddef>
#include <cuda_runtime.h>
#include <type_traits>
#include <utility>

namespace thrust {

template <typename A, typename B> struct pair {
    typedef A first_type;
    typedef B second_type;
    A first;
    B second;

    __host__ __device__ constexpr pair() : first(), second() {}
    __host__ __device__ constexpr pair(const A& a, const B& b) : first(a), second(b) {}
    template <typename C, typename D, typename = typename std::enable_if<std::is_constructible<A, C&&>::value && std::is_constructible<B, D&&>::value>::type>
    __host__ __device__ constexpr pair(C&& a, D&& b) : first(std::forward<C>(a)), second(std::forward<D>(b)) {}
    pair(const pair&) = default;
    template <typename C, typename D> __host__ __device__ constexpr pair(const pair<C, D>& p) : first(p.first), second(p.second) {}
    template <typename C, typename D> __host__ __device__ constexpr pair(const std::pair<C, D>& p) : first(p.first), second(p.second) {}
    __host__ __device__ pair& operator=(const pair& p) {
        first = p.first;
        second = p.second;
        return *this;
    }
    template <typename C, typename D> __host__ __device__ pair& operator=(const pair<C, D>& p) {
        first = p.first;
        second = p.second;
        return *this;
    }
    __host__ __device__ void swap(pair& p) {
        const pair mine = *this;
        *this = p;
        p = mine;
    }
};
template <typename A, typename B> __host__ __device__ constexpr pair<typename std::decay<A>::type, typename std::decay<B>::type> make_pair(A&& a, B&& b) {
    return pair<typename std::decay<A>::type, typename std::decay<B>::type>(std::forward<A>(a), std::forward<B>(b));
}
template <typename A, typename B> __host__ __device__ void swap(pair<A, B>& a, pair<A, B>& b) { a.swap(b); }
template <typename A, typename B> __host__ __device__ bool operator==(const pair<A, B>& a, const pair<A, B>& b) {
    return a.first == b.first && a.second == b.second;
}
template <typename A, typename B> __host__ __device__ bool operator<(const pair<A, B>& a, const pair<A, B>& b) {
    return a.first < b.first || (!(b.first < a.first) && a.second < b.second);
}
template <typename A, typename B> __host__ __device__ bool operator!=(const pair<A, B>& a, const pair<A, B>& b) { return !(a == b); }
template <typename A, typename B> __host__ __device__ bool operator>(const pair<A, B>& a, const pair<A, B>& b) { return b < a; }
template <typename A, typename B> __host__ __device__ bool operator<=(const pair<A, B>& a, const pair<A, B>& b) { return !(b < a); }
template <typename A, typename B> __host__ __device__ bool operator>=(const pair<A, B>& a, const pair<A, B>& b) { return !(a < b); }

struct null_type {};
template <typename... T> class tuple;

namespace detail {

template <size_t I, typename T> struct tuple_leaf {
    T value;
    __host__ __device__ constexpr tuple_leaf() : value() {}
    template <typename U> __host__ __device__ constexpr explicit tuple_leaf(std::true_type, U&& v) : value(std::forward<U>(v)) {}
};
template <typename Places, typename... T> struct tuple_leaves;
template <size_t... I, typename... T> struct tuple_leaves<std::index_sequence<I...>, T...> : tuple_leaf<I, T>... {
    __host__ __device__ constexpr tuple_leaves() : tuple_leaf<I, T>()... {}
    template <typename... U>
    __host__ __device__ constexpr tuple_leaves(std::true_type, U&&... v)
        : tuple_leaf<I, T>(std::true_type(), std::forward<U>(v))... {}
    template <typename Other>
    __host__ __device__ constexpr tuple_leaves(std::false_type, const Other& other)
        : tuple_leaf<I, T>(std::true_type(), other.template get<I>())... {}
    template <typename Other> __host__ __device__ void assign(const Other& other) {
        ((void)(tuple_leaf<I, T>::value = other.template get<I>()), ...);
    }
    __host__ __device__ void assign(const tuple_leaves& other) {
        ((void)(tuple_leaf<I, T>::value = static_cast<const tuple_leaf<I, T>&>(other).value), ...);
    }
};

template <size_t I, typename... T> struct nth;
template <typename T, typename... Rest> struct nth<0, T, Rest...> {
    typedef T type;
};
template <size_t I, typename T, typename... Rest> struct nth<I, T, Rest...> : nth<I - 1, Rest...> {};

template <typename To, typename... From> struct tuple_from : std::false_type {};
template <typename... T, typename... U> struct tuple_from<tuple<T...>, U...>
    : std::integral_constant<bool, sizeof...(T) == sizeof...(U) && sizeof...(T) != 0> {};
template <typename T, typename U> struct tuple_from<tuple<T>, U>
    : std::integral_constant<bool, !std::is_same<typename std::decay<U>::type, tuple<T>>::value && std::is_constructible<T, U>::value> {};

}

template <typename... T> class tuple : public detail::tuple_leaves<std::make_index_sequence<sizeof...(T)>, T...> {
    typedef detail::tuple_leaves<std::make_index_sequence<sizeof...(T)>, T...> Leaves;
    template <size_t I> using Nth = typename detail::nth<I, T...>::type;

public:
    __host__ __device__ constexpr tuple() : Leaves() {}
    template <typename... U, typename = typename std::enable_if<detail::tuple_from<tuple, U...>::value>::type>
    __host__ __device__ constexpr tuple(U&&... v) : Leaves(std::true_type(), std::forward<U>(v)...) {}
    __host__ __device__ constexpr tuple(const tuple& other) : Leaves(static_cast<const Leaves&>(other)) {}
    template <typename... U, typename = typename std::enable_if<sizeof...(U) == sizeof...(T) && sizeof...(T) != 0>::type>
    __host__ __device__ constexpr tuple(const tuple<U...>& other) : Leaves(std::false_type(), other) {}
    template <typename A, typename B>
    __host__ __device__ constexpr tuple(const pair<A, B>& p) : Leaves(std::true_type(), p.first, p.second) {}

    __host__ __device__ tuple& operator=(const tuple& other) {
        Leaves::assign(static_cast<const Leaves&>(other));
        return *this;
    }
    template <typename... U> __host__ __device__ tuple& operator=(const tuple<U...>& other) {
        Leaves::assign(other);
        return *this;
    }
    template <typename A, typename B> __host__ __device__ tuple& operator=(const pair<A, B>& p) {
        get<0>() = p.first;
        get<1>() = p.second;
        return *this;
    }
    template <size_t I> __host__ __device__ constexpr Nth<I>& get() { return detail::tuple_leaf<I, Nth<I>>::value; }
    template <size_t I> __host__ __device__ constexpr typename std::add_lvalue_reference<typename std::add_const<Nth<I>>::type>::type get() const {
        return detail::tuple_leaf<I, Nth<I>>::value;
    }
    __host__ __device__ void swap(tuple& other) {
        const tuple mine = *this;
        *this = other;
        other = mine;
    }
};
template <> class tuple<> {};

template <size_t I, typename T> struct tuple_element;
template <size_t I, typename... T> struct tuple_element<I, tuple<T...>> : detail::nth<I, T...> {};
template <size_t I, typename A, typename B> struct tuple_element<I, pair<A, B>> : detail::nth<I, A, B> {};
template <size_t I, typename T> struct tuple_element<I, const T> : std::add_const<typename tuple_element<I, T>::type> {};
template <size_t I, typename T> using tuple_element_t = typename tuple_element<I, T>::type;
template <typename T> struct tuple_size;
template <typename... T> struct tuple_size<tuple<T...>> : std::integral_constant<size_t, sizeof...(T)> {};
template <typename A, typename B> struct tuple_size<pair<A, B>> : std::integral_constant<size_t, 2> {};
template <typename T> struct tuple_size<const T> : tuple_size<T> {};
template <typename T> constexpr size_t tuple_size_v = tuple_size<T>::value;

using std::get;
template <size_t I, typename... T> __host__ __device__ constexpr typename detail::nth<I, T...>::type& get(tuple<T...>& t) {
    return t.template get<I>();
}
template <size_t I, typename... T>
__host__ __device__ constexpr typename std::add_lvalue_reference<typename std::add_const<typename detail::nth<I, T...>::type>::type>::type
get(const tuple<T...>& t) {
    return t.template get<I>();
}
template <size_t I, typename... T> __host__ __device__ constexpr typename detail::nth<I, T...>::type&& get(tuple<T...>&& t) {
    return static_cast<typename detail::nth<I, T...>::type&&>(t.template get<I>());
}
template <size_t I, typename A, typename B> __host__ __device__ constexpr typename detail::nth<I, A, B>::type& get(pair<A, B>& p) {
    if constexpr (I == 0) return p.first;
    else return p.second;
}
template <size_t I, typename A, typename B> __host__ __device__ constexpr const typename detail::nth<I, A, B>::type& get(const pair<A, B>& p) {
    if constexpr (I == 0) return p.first;
    else return p.second;
}

template <typename... T> __host__ __device__ constexpr tuple<typename std::decay<T>::type...> make_tuple(T&&... v) {
    return tuple<typename std::decay<T>::type...>(std::forward<T>(v)...);
}
template <typename... T> __host__ __device__ tuple<T&...> tie(T&... v) { return tuple<T&...>(v...); }
namespace detail {
struct ignore_type {
    template <typename T> __host__ __device__ const ignore_type& operator=(const T&) const { return *this; }
};
}
static constexpr detail::ignore_type ignore{};
template <typename... T> __host__ __device__ void swap(tuple<T...>& a, tuple<T...>& b) { a.swap(b); }

namespace detail {
template <size_t I, typename A, typename B> __host__ __device__ bool tuples_equal(const A& a, const B& b) {
    if constexpr (I == tuple_size<A>::value) return true;
    else return a.template get<I>() == b.template get<I>() && tuples_equal<I + 1>(a, b);
}
template <size_t I, typename A, typename B> __host__ __device__ bool tuple_less(const A& a, const B& b) {
    if constexpr (I == tuple_size<A>::value) {
        return false;
    } else {
        if (a.template get<I>() < b.template get<I>()) return true;
        if (b.template get<I>() < a.template get<I>()) return false;
        return tuple_less<I + 1>(a, b);
    }
}
}
template <typename... T, typename... U> __host__ __device__ bool operator==(const tuple<T...>& a, const tuple<U...>& b) { return detail::tuples_equal<0>(a, b); }
template <typename... T, typename... U> __host__ __device__ bool operator!=(const tuple<T...>& a, const tuple<U...>& b) { return !(a == b); }
template <typename... T, typename... U> __host__ __device__ bool operator<(const tuple<T...>& a, const tuple<U...>& b) { return detail::tuple_less<0>(a, b); }
template <typename... T, typename... U> __host__ __device__ bool operator>(const tuple<T...>& a, const tuple<U...>& b) { return b < a; }
template <typename... T, typename... U> __host__ __device__ bool operator<=(const tuple<T...>& a, const tuple<U...>& b) { return !(b < a); }
template <typename... T, typename... U> __host__ __device__ bool operator>=(const tuple<T...>& a, const tuple<U...>& b) { return !(a < b); }

}

namespace std {
template <typename... T> struct tuple_size<thrust::tuple<T...>> : integral_constant<size_t, sizeof...(T)> {};
template <size_t I, typename... T> struct tuple_element<I, thrust::tuple<T...>> : thrust::detail::nth<I, T...> {};
template <typename A, typename B> struct tuple_size<thrust::pair<A, B>> : integral_constant<size_t, 2> {};
template <size_t I, typename A, typename B> struct tuple_element<I, thrust::pair<A, B>> : thrust::detail::nth<I, A, B> {};
}

#endif
