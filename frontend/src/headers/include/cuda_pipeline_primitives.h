/* Asynchronous copies of a thread in C's style. They are done at once. */
#ifndef CUDAIR_CUDA_PIPELINE_PRIMITIVES_H
#define CUDAIR_CUDA_PIPELINE_PRIMITIVES_H

#include <cuda_awbarrier_primitives.h>
#include <cuda_runtime.h>

/* 4, 8 or 16 bytes, aligned as that, to shared memory; the last ones may be zeros instead. */
__CUDAIR_D void __pipeline_memcpy_async(void* __to, const void* __from, size_t __size, size_t __zeros = 0) {
    (void)__cvta_generic_to_shared(__to);
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

/* The copies of this thread count as done where the barrier's phase is over: they are. One more is expected to arrive,
   and has. */
__CUDAIR_D void __pipeline_arrive_on(__mbarrier_t* barrier) { assert(__isShared(barrier)); }

#endif
