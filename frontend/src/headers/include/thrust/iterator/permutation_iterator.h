/* The values of one iterator in the order that another gives. */
#ifndef CUDAIR_THRUST_PERMUTATION_ITERATOR_H
#define CUDAIR_THRUST_PERMUTATION_ITERATOR_H

#include <thrust/detail/facade.h>

namespace thrust {

template <typename It, typename Index>
class permutation_iterator
    : public detail::facade<permutation_iterator<It, Index>, typename std::iterator_traits<It>::value_type,
                            typename std::iterator_traits<It>::reference, typename detail::joint_system<It, Index>::type> {
    It it;
    Index index;

public:
    typedef permutation_iterator<detail::plain_t<It>, detail::plain_t<Index>> cudair_plain;
    __host__ __device__ permutation_iterator() : it(), index() {}
    __host__ __device__ explicit permutation_iterator(It x, Index y) : it(x), index(y) {}
    __host__ __device__ const Index& base() const { return index; }
    __host__ __device__ cudair_plain cudair_unwrap() const { return cudair_plain(detail::unwrap(it), detail::unwrap(index)); }
    __host__ __device__ typename std::iterator_traits<It>::reference cudair_at(ptrdiff_t n) const {
        return it[static_cast<typename std::iterator_traits<Index>::value_type>(index[n])];
    }
    __host__ __device__ void cudair_move(ptrdiff_t n) { index += n; }
    __host__ __device__ ptrdiff_t cudair_from(const permutation_iterator& other) const { return index - other.index; }
};
template <typename It, typename Index> __CUDAIR_HD permutation_iterator<It, Index> make_permutation_iterator(It it, Index index) {
    return permutation_iterator<It, Index>(it, index);
}

}

#endif
