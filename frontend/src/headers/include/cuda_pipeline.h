/* Asynchronous copies of a thread in C's style. They are done at once. */
#ifndef CUDAIR_CUDA_PIPELINE_H
#define CUDAIR_CUDA_PIPELINE_H

#include <cuda_runtime.h>

/* 4, 8 or 16 bytes, aligned as that; the last ones may be zeros instead. */
__CUDAIR_D void __pipeline_memcpy_async(void* __to, const void* __from, size_t __size, size_t __zeros = 0) {
    if (__zeros != 0) {
        __builtin_memcpy(__to, __from, __size - __zeros);
        __builtin_memset((char*)__to + (__size - __zeros), 0, __zeros);
    } else if (__size == 16) {
        *(uint4*)__to = *(const uint4*)__from;
    } else if (__size == 8) {
        *(uint2*)__to = *(const uint2*)__from;
    } else if (__size == 4) {
        *(unsigned int*)__to = *(const unsigned int*)__from;
    } else {
        __trap();
    }
}
__CUDAIR_D void __pipeline_commit() {}
__CUDAIR_D void __pipeline_wait_prior(size_t __prior) { (void)__prior; }

#if defined(__cplusplus)
#include <cuda/pipeline>
namespace nvcuda {
namespace experimental {
/* The pipeline that came before cuda::pipeline. */
class pipeline {
public:
    __device__ inline size_t commit() { return 0; }
    __device__ inline void wait(size_t) {}
    template <unsigned int _Prior> __device__ inline void wait_prior() {}
};
template <typename _Tp> __device__ inline void memcpy_async(_Tp& __to, const _Tp& __from, pipeline&) { __to = __from; }
} /* namespace experimental */
} /* namespace nvcuda */
#endif

#endif
