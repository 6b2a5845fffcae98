#ifndef CUDAIR_THRUST_UNIVERSAL_VECTOR_H
#define CUDAIR_THRUST_UNIVERSAL_VECTOR_H

#include <thrust/detail/vector_base.h>

namespace thrust {
__CUDAIR_VECTOR(universal_vector, universal_allocator)
template <typename T> using universal_host_pinned_vector = detail::vector_base<T, universal_host_pinned_allocator<T>>;
}

#endif
