/* Copies by a group. They are done at once, by the threads of the group one element each, and seen by the others
   after `wait`, as with copies that take their time. */
#ifndef CUDAIR_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define CUDAIR_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include <cooperative_groups.h>

namespace cooperative_groups {

template <typename _Group, typename _Tp, typename _Size>
__device__ inline void memcpy_async(const _Group& __group, _Tp* __to, const _Tp* __from, _Size __bytes) {
    unsigned long long __count = (unsigned long long)__bytes / sizeof(_Tp);
    for (unsigned long long __i = __group.thread_rank(); __i < __count; __i += __group.size())
        __to[__i] = __from[__i];
}
template <typename _Group, typename _Tp>
__device__ inline void memcpy_async(const _Group& __group, _Tp* __to, unsigned long long __room, const _Tp* __from,
                                    unsigned long long __have) {
    unsigned long long __count = __room < __have ? __room : __have;
    for (unsigned long long __i = __group.thread_rank(); __i < __count; __i += __group.size())
        __to[__i] = __from[__i];
}
template <typename _Group> __device__ inline void wait(const _Group& __group) { __group.sync(); }
template <unsigned int _Stages, typename _Group> __device__ inline void wait_prior(const _Group& __group) {
    __group.sync();
}

} /* namespace cooperative_groups */

#endif
