/* The numbers from one on, which are nowhere in memory. */
#ifndef CUDAIR_THRUST_COUNTING_ITERATOR_H
#define CUDAIR_THRUST_COUNTING_ITERATOR_H

#include <thrust/detail/facade.h>

namespace thrust {

template <typename T, typename System = use_default, typename Traversal = use_default, typename Difference = use_default>
class counting_iterator
    : public detail::facade<counting_iterator<T, System, Traversal, Difference>, T, T,
                            typename std::conditional<std::is_same<System, use_default>::value, any_system_tag, System>::type> {
    T at;

public:
    __host__ __device__ counting_iterator() : at() {}
    __host__ __device__ explicit counting_iterator(T x) : at(x) {}
    __host__ __device__ const T& base() const { return at; }
    __host__ __device__ T cudair_at(ptrdiff_t n) const { return static_cast<T>(at + n); }
    __host__ __device__ void cudair_move(ptrdiff_t n) { at = static_cast<T>(at + n); }
    __host__ __device__ ptrdiff_t cudair_from(const counting_iterator& other) const {
        return static_cast<ptrdiff_t>(at) - static_cast<ptrdiff_t>(other.at);
    }
};
template <typename T> __CUDAIR_HD counting_iterator<T> make_counting_iterator(T x) { return counting_iterator<T>(x); }

}

#endif
