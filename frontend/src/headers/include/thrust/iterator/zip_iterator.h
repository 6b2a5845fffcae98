/* Several iterators that move together: an access gives a tuple of theirs. */
#ifndef CUDAIR_THRUST_ZIP_ITERATOR_H
#define CUDAIR_THRUST_ZIP_ITERATOR_H

#include <thrust/detail/facade.h>

namespace thrust {

namespace detail {
template <typename T> struct zipped;
template <typename... It> struct zipped<tuple<It...>> {
    typedef tuple<typename std::iterator_traits<It>::value_type...> Value;
    typedef tuple<typename std::iterator_traits<It>::reference...> Reference;
    typedef tuple<plain_t<It>...> Plain;
    typedef typename joint_system<It...>::type System;
    typedef std::make_index_sequence<sizeof...(It)> Places;
};
template <typename A, typename B> struct zipped<pair<A, B>> : zipped<tuple<A, B>> {};
/* A tuple of iterators of which some take values only has no value itself. */
}

template <typename Iterators>
class zip_iterator
    : public detail::facade<zip_iterator<Iterators>, typename detail::zipped<Iterators>::Value,
                            typename detail::zipped<Iterators>::Reference, typename detail::zipped<Iterators>::System> {
    typedef detail::zipped<Iterators> Types;
    Iterators its;

    template <size_t... I> __host__ __device__ typename Types::Reference at(ptrdiff_t n, std::index_sequence<I...>) const {
        return typename Types::Reference(get<I>(its)[n]...);
    }
    template <size_t... I> __host__ __device__ void move(ptrdiff_t n, std::index_sequence<I...>) { ((void)(get<I>(its) += n), ...); }
    template <size_t... I> __host__ __device__ typename Types::Plain unwrapped(std::index_sequence<I...>) const {
        return typename Types::Plain(detail::unwrap(get<I>(its))...);
    }

public:
    typedef Iterators iterator_tuple;
    typedef zip_iterator<typename Types::Plain> cudair_plain;
    __host__ __device__ zip_iterator() : its() {}
    __host__ __device__ zip_iterator(Iterators t) : its(t) {}
    template <typename Other, typename = typename std::enable_if<std::is_convertible<Other, Iterators>::value>::type>
    __host__ __device__ zip_iterator(const zip_iterator<Other>& other) : its(other.get_iterator_tuple()) {}
    __host__ __device__ const Iterators& get_iterator_tuple() const { return its; }
    __host__ __device__ cudair_plain cudair_unwrap() const { return cudair_plain(unwrapped(typename Types::Places())); }
    __host__ __device__ typename Types::Reference cudair_at(ptrdiff_t n) const { return at(n, typename Types::Places()); }
    __host__ __device__ void cudair_move(ptrdiff_t n) { move(n, typename Types::Places()); }
    template <typename Other> __host__ __device__ ptrdiff_t cudair_from(const zip_iterator<Other>& other) const {
        return get<0>(its) - get<0>(other.get_iterator_tuple());
    }
};
template <typename... It> __CUDAIR_HD zip_iterator<tuple<It...>> make_zip_iterator(tuple<It...> t) { return zip_iterator<tuple<It...>>(t); }
template <typename... It> __CUDAIR_HD zip_iterator<tuple<It...>> make_zip_iterator(It... its) {
    return zip_iterator<tuple<It...>>(tuple<It...>(its...));
}

/* A function of several arguments as one of a tuple. */
template <typename F> class zip_function {
    F f;
    template <typename T, size_t... I> __host__ __device__ auto call(T&& t, std::index_sequence<I...>) const -> decltype(f(get<I>(t)...)) {
        return f(get<I>(t)...);
    }

public:
    __host__ __device__ zip_function(F function) : f(function) {}
    template <typename T>
    __host__ __device__ auto operator()(T&& t) const
        -> decltype(call(t, std::make_index_sequence<tuple_size<typename std::decay<T>::type>::value>())) {
        return call(t, std::make_index_sequence<tuple_size<typename std::decay<T>::type>::value>());
    }
    __host__ __device__ const F& underlying_function() const { return f; }
};
template <typename F> __CUDAIR_HD zip_function<typename std::decay<F>::type> make_zip_function(F&& f) {
    return zip_function<typename std::decay<F>::type>(std::forward<F>(f));
}

}

#endif
