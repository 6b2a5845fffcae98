/* What iterators have in common: one says what lies so many places further on, how to move, and how far another is. */
#ifndef CUDAIR_THRUST_FACADE_H
#define CUDAIR_THRUST_FACADE_H

#include <thrust/detail/core.h>

namespace thrust {
namespace detail {

/* What `it->member` goes through where an access gives a value. */
template <typename R> struct arrow {
    R value;
    __host__ __device__ R* operator->() { return &value; }
};

/* `Self` has `R cudair_at(n) const`, `void cudair_move(n)` and `cudair_from(other) const`. */
template <typename Self, typename V, typename R, typename System> struct facade {
    typedef V value_type;
    typedef R reference;
    typedef ptrdiff_t difference_type;
    typedef typename std::conditional<std::is_reference<R>::value, typename std::remove_reference<R>::type*, arrow<R>>::type pointer;
    typedef std::random_access_iterator_tag iterator_category;
    typedef System cudair_system;

    __host__ __device__ const Self& me() const { return static_cast<const Self&>(*this); }
    __host__ __device__ Self& me() { return static_cast<Self&>(*this); }

    __host__ __device__ R operator*() const { return me().cudair_at(0); }
    __host__ __device__ R operator[](difference_type n) const { return me().cudair_at(n); }
    __host__ __device__ pointer operator->() const {
        if constexpr (std::is_reference<R>::value) return &me().cudair_at(0);
        else return pointer{me().cudair_at(0)};
    }
    __host__ __device__ Self& operator++() { return me().cudair_move(1), me(); }
    __host__ __device__ Self& operator--() { return me().cudair_move(-1), me(); }
    __host__ __device__ Self operator++(int) {
        Self old = me();
        me().cudair_move(1);
        return old;
    }
    __host__ __device__ Self operator--(int) {
        Self old = me();
        me().cudair_move(-1);
        return old;
    }
    __host__ __device__ Self& operator+=(difference_type n) { return me().cudair_move(n), me(); }
    __host__ __device__ Self& operator-=(difference_type n) { return me().cudair_move(-n), me(); }
    __host__ __device__ Self operator+(difference_type n) const {
        Self moved = me();
        moved.cudair_move(n);
        return moved;
    }
    __host__ __device__ Self operator-(difference_type n) const { return *this + -n; }
    __host__ __device__ friend Self operator+(difference_type n, const Self& it) { return it + n; }
    template <typename Other, typename S = Self, typename = decltype(std::declval<const S&>().cudair_from(std::declval<const Other&>()))>
    __host__ __device__ difference_type operator-(const Other& other) const {
        return me().cudair_from(other);
    }
    __host__ __device__ friend bool operator==(const Self& a, const Self& b) { return a.cudair_from(b) == 0; }
    __host__ __device__ friend bool operator!=(const Self& a, const Self& b) { return a.cudair_from(b) != 0; }
    __host__ __device__ friend bool operator<(const Self& a, const Self& b) { return a.cudair_from(b) < 0; }
    __host__ __device__ friend bool operator>(const Self& a, const Self& b) { return a.cudair_from(b) > 0; }
    __host__ __device__ friend bool operator<=(const Self& a, const Self& b) { return a.cudair_from(b) <= 0; }
    __host__ __device__ friend bool operator>=(const Self& a, const Self& b) { return a.cudair_from(b) >= 0; }
};

/* The iterators of vectors: a pointer that is no pointer. */
template <typename P> class normal_iterator
    : public facade<normal_iterator<P>, typename std::iterator_traits<P>::value_type, typename std::iterator_traits<P>::reference, system_of_t<P>> {
    P at;

public:
    typedef P pointer;
    typedef plain_t<P> cudair_plain;
    __host__ __device__ normal_iterator() : at() {}
    __host__ __device__ explicit normal_iterator(P p) : at(p) {}
    template <typename Q, typename = typename std::enable_if<std::is_convertible<Q, P>::value>::type>
    __host__ __device__ normal_iterator(const normal_iterator<Q>& other) : at(other.base()) {}
    __host__ __device__ const P& base() const { return at; }
    __host__ __device__ cudair_plain cudair_unwrap() const { return plain<P>::of(at); }
    __host__ __device__ typename std::iterator_traits<P>::reference cudair_at(ptrdiff_t n) const { return at[n]; }
    __host__ __device__ void cudair_move(ptrdiff_t n) { at += n; }
    template <typename Q> __host__ __device__ ptrdiff_t cudair_from(const normal_iterator<Q>& other) const { return at - other.base(); }
};
template <typename P, typename Q, typename = typename std::enable_if<!std::is_same<P, Q>::value>::type>
__CUDAIR_HD bool operator==(const normal_iterator<P>& a, const normal_iterator<Q>& b) { return a.cudair_from(b) == 0; }
template <typename P, typename Q, typename = typename std::enable_if<!std::is_same<P, Q>::value>::type>
__CUDAIR_HD bool operator!=(const normal_iterator<P>& a, const normal_iterator<Q>& b) { return a.cudair_from(b) != 0; }

}
}

#endif
