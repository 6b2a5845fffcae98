/* Arrive-wait barriers in shared memory, in C's style. Who arrives releases, who has waited acquires. */
#ifndef CUDAIR_CUDA_AWBARRIER_PRIMITIVES_H
#define CUDAIR_CUDA_AWBARRIER_PRIMITIVES_H

#include <assert.h>
#include <cuda/atomic>
#include <cuda_runtime.h>
#include <stdint.h>

typedef uint64_t __mbarrier_t;
typedef uint64_t __mbarrier_token_t;

/* A barrier's word: how many are still to arrive in this phase (20 bits), how many in the next one (20), the number of
   the phase. A token is the word before its thread arrived. */
#define __CUDAIR_NEXT 20
#define __CUDAIR_PHASE 40
#define __CUDAIR_COUNT ((1ull << 20) - 1)

__CUDAIR_HD uint32_t __mbarrier_maximum_count() { return (1u << 14) - 1; }
__CUDAIR_D void __mbarrier_init(__mbarrier_t* barrier, uint32_t expected_count) {
    assert(__isShared(barrier));
    assert(expected_count > 0 && expected_count <= __mbarrier_maximum_count());
    __cudair_atomic_store_i64((unsigned long long*)barrier, (uint64_t)expected_count | (uint64_t)expected_count << __CUDAIR_NEXT,
                              __CUDAIR_BLOCK);
}
__CUDAIR_D void __mbarrier_inval(__mbarrier_t* barrier) {
    assert(__isShared(barrier));
    __cudair_atomic_store_i64((unsigned long long*)barrier, 0ull, __CUDAIR_BLOCK);
}
__CUDAIR_D uint32_t __mbarrier_token_pending_count(__mbarrier_token_t token) {
    return (uint32_t)(token & __CUDAIR_COUNT);
}
/* `gone` leave for good. */
__CUDAIR_D __mbarrier_token_t __cudair_mbarrier_arrive(__mbarrier_t* barrier, uint64_t gone) {
    assert(__isShared(barrier));
    __cudair_fence(__CUDAIR_BLOCK);
    uint64_t token = __cudair_atomic_add_i64((unsigned long long*)barrier, 0 - 1ull - (gone << __CUDAIR_NEXT), __CUDAIR_BLOCK);
    /* More arrive than the barrier expects, or it is not initialised any more. */
    assert(__mbarrier_token_pending_count(token) > 0);
    if (__mbarrier_token_pending_count(token) == 1) {
        __cudair_fence(__CUDAIR_BLOCK);
        uint64_t next = (token >> __CUDAIR_NEXT & __CUDAIR_COUNT) - gone;
        __cudair_atomic_add_i64((unsigned long long*)barrier, next + (1ull << __CUDAIR_PHASE), __CUDAIR_BLOCK);
    }
    return token;
}
__CUDAIR_D __mbarrier_token_t __mbarrier_arrive(__mbarrier_t* barrier) { return __cudair_mbarrier_arrive(barrier, 0); }
__CUDAIR_D __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t* barrier) {
    return __cudair_mbarrier_arrive(barrier, 1);
}
__CUDAIR_D bool __cudair_mbarrier_test(__mbarrier_t* barrier, uint64_t phase, uint64_t bits) {
    assert(__isShared(barrier));
    uint64_t now = __cudair_atomic_load_i64((unsigned long long*)barrier, __CUDAIR_BLOCK) >> __CUDAIR_PHASE;
    if (((now ^ phase) & bits) == 0)
        return false;
    __cudair_fence(__CUDAIR_BLOCK);
    return true;
}
__CUDAIR_D bool __mbarrier_test_wait(__mbarrier_t* barrier, __mbarrier_token_t token) {
    return __cudair_mbarrier_test(barrier, token >> __CUDAIR_PHASE, ~0ull);
}
/* Whether the phase of this parity is over. */
__CUDAIR_D bool __mbarrier_test_wait_parity(__mbarrier_t* barrier, bool phase_parity) {
    return __cudair_mbarrier_test(barrier, phase_parity, 1);
}
__CUDAIR_D bool __mbarrier_try_wait(__mbarrier_t* barrier, __mbarrier_token_t token, uint32_t max_sleep_nanosec) {
    if (__mbarrier_test_wait(barrier, token))
        return true;
    __nanosleep(max_sleep_nanosec);
    return __mbarrier_test_wait(barrier, token);
}
__CUDAIR_D bool __mbarrier_try_wait_parity(__mbarrier_t* barrier, bool phase_parity, uint32_t max_sleep_nanosec) {
    if (__mbarrier_test_wait_parity(barrier, phase_parity))
        return true;
    __nanosleep(max_sleep_nanosec);
    return __mbarrier_test_wait_parity(barrier, phase_parity);
}

#undef __CUDAIR_NEXT
#undef __CUDAIR_PHASE
#undef __CUDAIR_COUNT

#endif
