#ifndef CUDAIR_THRUST_HOST_VECTOR_H
#define CUDAIR_THRUST_HOST_VECTOR_H

#include <bits/allocator.h>
#include <thrust/detail/vector_base.h>

namespace thrust {
__CUDAIR_VECTOR(host_vector, std::allocator)
}

#endif
