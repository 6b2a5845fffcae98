/* The C library on the device: overloads beside the host's declarations from the system's headers. */
#ifndef CUDAIR_LIBC_H
#define CUDAIR_LIBC_H

#include <stddef.h>
/* nvcc's runtime header brings these along. */
#if !defined(__CUDAIR_PARTS) || defined(__CUDAIR_PART_LIBC)
#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#endif

extern "C" {
/* The host's printf, for programs that rely on nvcc's implicit declaration. */
int printf(const char*, ...);

__device__ int printf(const char* format, ...) __attribute__((format(printf, 1, 2)));
__device__ int vprintf(const char* format, __builtin_va_list arguments);
__device__ void* malloc(size_t size) noexcept;
__device__ void free(void* ptr) noexcept;
__device__ void* memcpy(void* dst, const void* src, size_t size) noexcept;
__device__ void* memmove(void* dst, const void* src, size_t size) noexcept;
__device__ void* memset(void* dst, int value, size_t size) noexcept;
__device__ long clock(void) noexcept;
__device__ long long clock64(void);
__device__ __attribute__((noreturn)) void abort(void) noexcept;
__device__ __attribute__((noreturn)) void __assert_fail(const char* expression, const char* file,
                                                        unsigned int line, const char* function) noexcept;
}

#endif
