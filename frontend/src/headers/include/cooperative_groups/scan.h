/* Scans over a group. */
#ifndef CUDAIR_COOPERATIVE_GROUPS_SCAN_H
#define CUDAIR_COOPERATIVE_GROUPS_SCAN_H

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cooperative_groups {

template <typename _Group, typename _Tp, typename _Op>
__device__ inline _Tp inclusive_scan(const _Group& __group, _Tp __value, _Op __op) {
    for (unsigned int __delta = 1; __delta < __group.size(); __delta <<= 1) {
        _Tp __below = __group.shfl_up(__value, __delta);
        if (__group.thread_rank() >= __delta)
            __value = __op(__below, __value);
    }
    return __value;
}
template <typename _Group, typename _Tp> __device__ inline _Tp inclusive_scan(const _Group& __group, _Tp __value) {
    return inclusive_scan(__group, __value, plus<_Tp>());
}
/* Of the first thread: the neutral element of an addition, and for other operations a value that is not told. */
template <typename _Group, typename _Tp, typename _Op>
__device__ inline _Tp exclusive_scan(const _Group& __group, _Tp __value, _Op __op) {
    _Tp __all = __group.shfl_up(inclusive_scan(__group, __value, __op), 1);
    return __group.thread_rank() == 0 ? _Tp() : __all;
}
template <typename _Group, typename _Tp> __device__ inline _Tp exclusive_scan(const _Group& __group, _Tp __value) {
    return exclusive_scan(__group, __value, plus<_Tp>());
}

} /* namespace cooperative_groups */

#endif
