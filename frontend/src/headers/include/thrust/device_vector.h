#ifndef CUDAIR_THRUST_DEVICE_VECTOR_H
#define CUDAIR_THRUST_DEVICE_VECTOR_H

#include <thrust/detail/vector_base.h>

namespace thrust {
__CUDAIR_VECTOR(device_vector, device_allocator)
namespace system {
namespace cuda {
template <typename T, typename A = device_allocator<T>> using vector = thrust::device_vector<T, A>;
}
}
}

#endif
