// `std::vector<bool>` sets bits in words that it has not written, which other bits of the byte hide: it gets zeros. The
// system's header has a branch that writes them, for constant evaluation.
#ifndef __CUDAIR_STL_BVECTOR
#define __CUDAIR_STL_BVECTOR 1
#pragma GCC system_header
#include <bits/c++config.h>
#if __cplusplus >= 201103L
#include <type_traits>
#endif
namespace std {
inline constexpr bool __cudair_always() noexcept { return true; }
}
#ifndef __cpp_lib_is_constant_evaluated
#define __cpp_lib_is_constant_evaluated 201811L
#define __CUDAIR_BVECTOR_DEFINED 1
#endif
#define is_constant_evaluated __cudair_always
#define __is_constant_evaluated __cudair_always
#include_next <bits/stl_bvector.h>
#undef is_constant_evaluated
#undef __is_constant_evaluated
#ifdef __CUDAIR_BVECTOR_DEFINED
#undef __cpp_lib_is_constant_evaluated
#undef __CUDAIR_BVECTOR_DEFINED
#endif
#endif
