/* Asynchronous copies of a thread, and the pipeline that came before cuda::pipeline. */
#ifndef CUDAIR_CUDA_PIPELINE_H
#define CUDAIR_CUDA_PIPELINE_H

#include <cuda_awbarrier.h>
#include <cuda_pipeline_primitives.h>

#if defined(__cplusplus)
#include <cuda/pipeline>
namespace nvcuda {
namespace experimental {
class pipeline {
public:
    __device__ inline size_t commit() { return 0; }
    __device__ inline void wait(size_t) {}
    template <unsigned int _Prior> __device__ inline void wait_prior() {}
    __device__ inline void arrive_on(awbarrier& barrier) { __pipeline_arrive_on(&barrier.barrier); }
};
template <typename _Tp> __device__ inline void memcpy_async(_Tp& __to, const _Tp& __from, pipeline&) { __to = __from; }
} /* namespace experimental */
} /* namespace nvcuda */
#endif

#endif
