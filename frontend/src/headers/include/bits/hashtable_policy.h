// The unordered containers' growth, which the standard library has in its binary.
#pragma GCC system_header
#include_next <bits/hashtable_policy.h>
#ifndef __CUDAIR_HASHTABLE_POLICY
#define __CUDAIR_HASHTABLE_POLICY 1

// The first number of buckets that is not below `__n`.
extern "C" __SIZE_TYPE__ __cudair_bucket_count(__SIZE_TYPE__ __n);

namespace std _GLIBCXX_VISIBILITY(default) {
_GLIBCXX_BEGIN_NAMESPACE_VERSION
namespace __detail {

inline size_t _Prime_rehash_policy::_M_next_bkt(size_t __n) const {
  if (__n == 0) return 1;
  const size_t __count = __cudair_bucket_count(__n);
  _M_next_resize = __count == 18446744073709551557ul ? size_t(-1)
                                                     : size_t(__builtin_floor(__count * (double)_M_max_load_factor));
  return __count;
}

inline pair<bool, size_t> _Prime_rehash_policy::_M_need_rehash(size_t __buckets, size_t __elements,
                                                               size_t __more) const {
  if (__elements + __more <= _M_next_resize) return {false, 0};
  const size_t __wanted = __elements + __more, __least = _M_next_resize != 0 ? 0 : 11;
  const double __fewest = (__wanted < __least ? __least : __wanted) / (double)_M_max_load_factor;
  if (__fewest >= __buckets) {
    const size_t __first = size_t(__builtin_floor(__fewest) + 1), __grown = __buckets * _S_growth_factor;
    return {true, _M_next_bkt(__first < __grown ? __grown : __first)};
  }
  _M_next_resize = size_t(__builtin_floor(__buckets * (double)_M_max_load_factor));
  return {false, 0};
}

}
_GLIBCXX_END_NAMESPACE_VERSION
}
#endif
