/* The same from the end to the begin. */
#ifndef CUDAIR_THRUST_REVERSE_ITERATOR_H
#define CUDAIR_THRUST_REVERSE_ITERATOR_H

#include <thrust/detail/facade.h>

namespace thrust {

template <typename It>
class reverse_iterator
    : public detail::facade<reverse_iterator<It>, typename std::iterator_traits<It>::value_type,
                            typename std::iterator_traits<It>::reference, detail::system_of_t<It>> {
    It it;

public:
    typedef reverse_iterator<detail::plain_t<It>> cudair_plain;
    __host__ __device__ reverse_iterator() : it() {}
    __host__ __device__ explicit reverse_iterator(It x) : it(x) {}
    template <typename Other, typename = typename std::enable_if<std::is_convertible<Other, It>::value>::type>
    __host__ __device__ reverse_iterator(const reverse_iterator<Other>& other) : it(other.base()) {}
    __host__ __device__ const It& base() const { return it; }
    __host__ __device__ cudair_plain cudair_unwrap() const { return cudair_plain(detail::unwrap(it)); }
    __host__ __device__ typename std::iterator_traits<It>::reference cudair_at(ptrdiff_t n) const { return it[-1 - n]; }
    __host__ __device__ void cudair_move(ptrdiff_t n) { it -= n; }
    __host__ __device__ ptrdiff_t cudair_from(const reverse_iterator& other) const { return other.it - it; }
};
template <typename It> __CUDAIR_HD reverse_iterator<It> make_reverse_iterator(It it) { return reverse_iterator<It>(it); }

}

#endif
