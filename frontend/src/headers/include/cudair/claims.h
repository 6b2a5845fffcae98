/* What a program states to hold, in code of both sides. __cudair_assume: the program rests on it, and a run in which it
   is false is at fault. __cudair_assert: it has to hold, as assert() says, whether NDEBUG is defined or not. */
#ifndef CUDAIR_CLAIMS_H
#define CUDAIR_CLAIMS_H

#include <host_defines.h>

#if defined(__cplusplus)
#define __CUDAIR_BOOL bool
#else
#define __CUDAIR_BOOL _Bool
#endif

__CUDAIR_C_BEGIN
__host__ __device__ void __cudair_assume(__CUDAIR_BOOL condition);
__host__ __device__ void __cudair_assert(__CUDAIR_BOOL condition);
__CUDAIR_C_END

#endif
