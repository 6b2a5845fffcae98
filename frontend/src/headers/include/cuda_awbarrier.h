/* nvcuda::experimental::awbarrier, which came before cuda::barrier. */
#ifndef CUDAIR_CUDA_AWBARRIER_H
#define CUDAIR_CUDA_AWBARRIER_H

#include <cuda_awbarrier_primitives.h>

namespace nvcuda {
namespace experimental {

class awbarrier {
    __mbarrier_t barrier;

public:
    class arrival_token {
        __mbarrier_token_t token;
        __device__ inline arrival_token(__mbarrier_token_t t) : token(t) {}
        friend class awbarrier;

    public:
        arrival_token() = default;
        __device__ inline uint32_t pending_count() const { return __mbarrier_token_pending_count(token); }
    };
    awbarrier() = default;
    awbarrier(const awbarrier&) = delete;
    awbarrier& operator=(const awbarrier&) = delete;

    __device__ inline arrival_token arrive() { return __mbarrier_arrive(&barrier); }
    __device__ inline arrival_token arrive_and_drop() { return __mbarrier_arrive_and_drop(&barrier); }
    __device__ inline bool timed_wait(arrival_token token, uint32_t hint_cycles) {
        for (long long start = clock64(); !__mbarrier_test_wait(&barrier, token.token);)
            if (!__rest(start, hint_cycles))
                return false;
        return true;
    }
    __device__ inline bool timed_wait_parity(bool phase, uint32_t hint_cycles) {
        for (long long start = clock64(); !__mbarrier_test_wait_parity(&barrier, phase);)
            if (!__rest(start, hint_cycles))
                return false;
        return true;
    }
    __device__ inline bool try_wait(arrival_token token, uint32_t nanoseconds) {
        return __mbarrier_try_wait(&barrier, token.token, nanoseconds);
    }
    __device__ inline bool try_wait_parity(bool phase, uint32_t nanoseconds) {
        return __mbarrier_try_wait_parity(&barrier, phase, nanoseconds);
    }
    __device__ inline void wait(arrival_token token) {
        while (!__mbarrier_test_wait(&barrier, token.token))
            __cudair_pause();
    }
    __device__ inline void arrive_and_wait() { wait(arrive()); }
    static __host__ __device__ constexpr uint32_t max() { return (1u << 14) - 1; }

    friend __device__ inline void init(awbarrier* b, uint32_t expected_count) { __mbarrier_init(&b->barrier, expected_count); }
    friend __device__ inline void inval(awbarrier* b) { __mbarrier_inval(&b->barrier); }
    friend class pipeline;

private:
    /* Lets others run; whether there is time left. */
    __device__ static inline bool __rest(long long start, uint32_t cycles) {
        __cudair_pause();
        return clock64() - start < (long long)cycles;
    }
};

} /* namespace experimental */
} /* namespace nvcuda */

#endif
