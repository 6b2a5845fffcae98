/* The compiler's part of <stddef.h>, for a libclang that comes without its headers. The C library asks for
   single names by __need_*; they all come, each once. */
#undef __need_ptrdiff_t
#undef __need_size_t
#undef __need_wchar_t
#undef __need_NULL
#undef __need_wint_t
#undef __need_max_align_t
#undef __need_offsetof

#ifndef CUDAIR_STDDEF_H
#define CUDAIR_STDDEF_H

typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __SIZE_TYPE__ size_t;
typedef __WINT_TYPE__ wint_t;
#ifndef __cplusplus
typedef __WCHAR_TYPE__ wchar_t;
#endif

#undef NULL
#ifdef __cplusplus
#define NULL __null
#else
#define NULL ((void*)0)
#endif

#define offsetof(type, member) __builtin_offsetof(type, member)

typedef struct {
    long long __cudair_long_long __attribute__((__aligned__(__alignof__(long long))));
    long double __cudair_long_double __attribute__((__aligned__(__alignof__(long double))));
} max_align_t;

#if defined(__cplusplus) && __cplusplus >= 201103L
namespace std {
typedef decltype(nullptr) nullptr_t;
}
using ::std::nullptr_t;
#endif

#endif
