/* Takes what is written and keeps nothing. */
#ifndef CUDAIR_THRUST_DISCARD_ITERATOR_H
#define CUDAIR_THRUST_DISCARD_ITERATOR_H

#include <thrust/detail/facade.h>

namespace thrust {

namespace detail {
struct any_assign {
    template <typename T> __host__ __device__ const any_assign& operator=(const T&) const { return *this; }
};
}

template <typename System = use_default>
class discard_iterator
    : public detail::facade<discard_iterator<System>, void, detail::any_assign,
                            typename std::conditional<std::is_same<System, use_default>::value, any_system_tag, System>::type> {
    ptrdiff_t at;

public:
    __host__ __device__ discard_iterator(ptrdiff_t i = 0) : at(i) {}
    __host__ __device__ ptrdiff_t base() const { return at; }
    __host__ __device__ detail::any_assign cudair_at(ptrdiff_t) const { return detail::any_assign(); }
    __host__ __device__ void cudair_move(ptrdiff_t n) { at += n; }
    __host__ __device__ ptrdiff_t cudair_from(const discard_iterator& other) const { return at - other.at; }
};
inline __host__ __device__ discard_iterator<> make_discard_iterator(ptrdiff_t i = 0) { return discard_iterator<>(i); }

}

#endif
