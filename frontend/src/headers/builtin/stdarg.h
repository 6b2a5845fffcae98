/* The compiler's part of <stdarg.h>, for a libclang that comes without its headers. */
#undef __need___va_list
#undef __need_va_list
#undef __need_va_arg
#undef __need___va_copy
#undef __need_va_copy

#ifndef CUDAIR_STDARG_H
#define CUDAIR_STDARG_H

typedef __builtin_va_list __gnuc_va_list;
#define __GNUC_VA_LIST
typedef __builtin_va_list va_list;
#define va_start(list, last) __builtin_va_start(list, last)
#define va_end(list) __builtin_va_end(list)
#define va_arg(list, type) __builtin_va_arg(list, type)
#define va_copy(to, from) __builtin_va_copy(to, from)
#define __va_copy(to, from) __builtin_va_copy(to, from)

#endif
