/* Reductions over a group. */
#ifndef CUDAIR_COOPERATIVE_GROUPS_REDUCE_H
#define CUDAIR_COOPERATIVE_GROUPS_REDUCE_H

#include <cooperative_groups.h>

namespace cooperative_groups {

#define __CUDAIR_OPERATION(__name, __expression)                                                       \
    template <typename _Tp> struct __name {                                                            \
        __device__ _Tp operator()(const _Tp& __a, const _Tp& __b) const { return __expression; }       \
    };
__CUDAIR_OPERATION(plus, __a + __b)
__CUDAIR_OPERATION(less, __b < __a ? __b : __a)
__CUDAIR_OPERATION(greater, __a < __b ? __b : __a)
__CUDAIR_OPERATION(bit_and, __a & __b)
__CUDAIR_OPERATION(bit_or, __a | __b)
__CUDAIR_OPERATION(bit_xor, __a ^ __b)
#undef __CUDAIR_OPERATION

/* A butterfly: every lane has the result. */
template <unsigned int _Size, typename _Parent, typename _Tp, typename _Op>
__device__ inline _Tp reduce(const thread_block_tile<_Size, _Parent>& __group, _Tp __value, _Op __op) {
    if constexpr (_Size <= 32) {
        for (unsigned int __mask = _Size >> 1; __mask > 0; __mask >>= 1)
            __value = __op(__value, __group.shfl_xor(__value, __mask));
        return __value;
    } else {
        for (int __mask = 16; __mask > 0; __mask >>= 1)
            __value = __op(__value, __cudair::__shuffle_xor(0xffffffffu, __value, __mask, 32));
        return __group.__combine(__value, __op);
    }
}
/* A tree over ranks, whose root everybody reads. */
template <typename _Tp, typename _Op>
__device__ inline _Tp reduce(const coalesced_group& __group, _Tp __value, _Op __op) {
    unsigned int __half = 1;
    while (__half < __group.size())
        __half <<= 1;
    for (__half >>= 1; __half > 0; __half >>= 1) {
        _Tp __other = __group.shfl_down(__value, __half);
        if (__group.thread_rank() < __half && __group.thread_rank() + __half < __group.size())
            __value = __op(__value, __other);
    }
    return __group.shfl(__value, 0);
}

} /* namespace cooperative_groups */

#endif
