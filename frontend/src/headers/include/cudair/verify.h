/* The annotations of GPUVerify. Other compilers take this file as it is: there each annotation does nothing.

   An annotation is an assumption or an assertion at its place, checked by every thread that comes there in a run, where
   its expression is plain code. One that speaks of accesses, of another thread, of a result, of an old value or of the
   end of a function cannot be evaluated there, nor can one that such a predicate is part of: it is a hint, which is
   neither evaluated nor checked. Candidates are guesses, and hints too. */
#ifndef CUDAIR_VERIFY_H
#define CUDAIR_VERIFY_H

#if !defined(__CUDAIR__)

/* The C library declares a function __assert: before the name is a macro. */
#include <assert.h>

#define __cudair_assume(...) ((void)0)
#define __cudair_assert(...) ((void)0)
#define __requires(...) ((void)0)
#define __global_requires(...) ((void)0)
#define __assume(...) ((void)0)
#define __assert(...) ((void)0)
#define __global_assert(...) ((void)0)
#define __unsafe_assert(...) ((void)0)
#define __unsafe_global_assert(...) ((void)0)
#define __invariant(...) ((void)0)
#define __global_invariant(...) ((void)0)
#define __ensures(...) ((void)0)
#define __global_ensures(...) ((void)0)
#define __function_wide_invariant(...) ((void)0)
#define __candidate_invariant(...) ((void)0)
#define __candidate_global_invariant(...) ((void)0)
#define __function_wide_candidate_invariant(...) ((void)0)
#define __candidate_assert(...) ((void)0)
#define __candidate_global_assert(...) ((void)0)
#define __unsafe_candidate_assert(...) ((void)0)
#define __unsafe_candidate_global_assert(...) ((void)0)
#define __requires_fresh_array(...) ((void)0)
#define __reads_from(...) ((void)0)
#define __writes_to(...) ((void)0)
#define __non_temporal_loads_begin() ((void)0)
#define __non_temporal_loads_end() ((void)0)
#define __axiom(...) extern int __cudair_no_axiom

#elif !defined(__cplusplus)

#include <cudair/claims.h>

#define __requires __cudair_assume
#define __global_requires __cudair_assume
#define __assume __cudair_assume
#define __invariant __cudair_assert
#define __global_invariant __cudair_assert
#define __global_assert __cudair_assert
#define __enabled() 1
#define __dominator_enabled() 1
#define __implies(a, b) (!(a) || (b))
#define __is_pow2(x) ((((x) & ((x)-1)) == 0))
#define __mod_pow2(x, y) (((y)-1) & (x))

#else

#include <cudair/claims.h>

/* A value that a thread cannot know where it is asked for. It has every operator and no truth. */
struct __cudair_unknown {};

#define __CUDAIR_UNKNOWN __host__ __device__ __cudair_unknown
#define __CUDAIR_UNKNOWN_BINARY(op)                                         \
    __CUDAIR_UNKNOWN operator op(__cudair_unknown, __cudair_unknown);       \
    template <typename _T> __CUDAIR_UNKNOWN operator op(__cudair_unknown, _T); \
    template <typename _T> __CUDAIR_UNKNOWN operator op(_T, __cudair_unknown);
#define __CUDAIR_UNKNOWN_UNARY(op) __CUDAIR_UNKNOWN operator op(__cudair_unknown);
__CUDAIR_UNKNOWN_BINARY(+)
__CUDAIR_UNKNOWN_BINARY(-)
__CUDAIR_UNKNOWN_BINARY(*)
__CUDAIR_UNKNOWN_BINARY(/)
__CUDAIR_UNKNOWN_BINARY(%)
__CUDAIR_UNKNOWN_BINARY(&)
__CUDAIR_UNKNOWN_BINARY(|)
__CUDAIR_UNKNOWN_BINARY(^)
__CUDAIR_UNKNOWN_BINARY(<<)
__CUDAIR_UNKNOWN_BINARY(>>)
__CUDAIR_UNKNOWN_BINARY(==)
__CUDAIR_UNKNOWN_BINARY(!=)
__CUDAIR_UNKNOWN_BINARY(<)
__CUDAIR_UNKNOWN_BINARY(<=)
__CUDAIR_UNKNOWN_BINARY(>)
__CUDAIR_UNKNOWN_BINARY(>=)
__CUDAIR_UNKNOWN_BINARY(&&)
__CUDAIR_UNKNOWN_BINARY(||)
__CUDAIR_UNKNOWN_UNARY(+)
__CUDAIR_UNKNOWN_UNARY(-)
__CUDAIR_UNKNOWN_UNARY(~)
__CUDAIR_UNKNOWN_UNARY(!)

/* Each condition twice: what can be evaluated, and what cannot. */
#define __CUDAIR_CLAIM(name)                 \
    __host__ __device__ void name(bool condition); \
    __host__ __device__ void name(__cudair_unknown condition);
__CUDAIR_CLAIM(__requires)
__CUDAIR_CLAIM(__global_requires)
__CUDAIR_CLAIM(__assume)
__CUDAIR_CLAIM(__assert)
__CUDAIR_CLAIM(__global_assert)
__CUDAIR_CLAIM(__invariant)
__CUDAIR_CLAIM(__global_invariant)
#define __unsafe_assert(...) __assert(__VA_ARGS__)
#define __unsafe_global_assert(...) __global_assert(__VA_ARGS__)

/* Hints. */
#define __CUDAIR_HINT(name) template <typename _T> __host__ __device__ void name(const _T& condition);
__CUDAIR_HINT(__ensures)
__CUDAIR_HINT(__global_ensures)
__CUDAIR_HINT(__function_wide_invariant)
__CUDAIR_HINT(__candidate_invariant)
__CUDAIR_HINT(__candidate_global_invariant)
__CUDAIR_HINT(__function_wide_candidate_invariant)
__CUDAIR_HINT(__candidate_assert)
__CUDAIR_HINT(__candidate_global_assert)
__CUDAIR_HINT(__requires_fresh_array)
__CUDAIR_HINT(__reads_from)
__CUDAIR_HINT(__writes_to)
#define __unsafe_candidate_assert(...) __candidate_assert(__VA_ARGS__)
#define __unsafe_candidate_global_assert(...) __candidate_global_assert(__VA_ARGS__)
#define __non_temporal_loads_begin() ((void)0)
#define __non_temporal_loads_end() ((void)0)

/* Accesses that were made, and where pointers point to. */
#define __CUDAIR_OF(name) template <typename _T> __CUDAIR_UNKNOWN name(const _T& what);
__CUDAIR_OF(__read)
__CUDAIR_OF(__write)
__CUDAIR_OF(__no_read)
__CUDAIR_OF(__no_write)
__CUDAIR_OF(__read_offset_bytes)
__CUDAIR_OF(__write_offset_bytes)
__CUDAIR_OF(__ptr_base)
__CUDAIR_OF(__ptr_offset_bytes)
template <typename _T, typename _U> __CUDAIR_UNKNOWN __read_implies(const _T& pointer, const _U& condition);
template <typename _T, typename _U> __CUDAIR_UNKNOWN __write_implies(const _T& pointer, const _U& condition);
template <typename _T, typename _U, typename _V>
__CUDAIR_UNKNOWN __atomic_has_taken_value(const _T& array, const _U& offset, const _V& value);

/* Another thread. */
__CUDAIR_OF(__other_int)
__CUDAIR_OF(__other_bool)
__CUDAIR_OF(__other_ptr_base)
__CUDAIR_OF(__uniform_int)
__CUDAIR_OF(__uniform_bool)
__CUDAIR_OF(__uniform_ptr_base)
__CUDAIR_OF(__distinct_int)
__CUDAIR_OF(__distinct_bool)
__CUDAIR_OF(__distinct_ptr_base)
__CUDAIR_OF(__exclusive)
__CUDAIR_OF(__cudair_all)
/* Not the vote of this name that CUDA once had. */
#define __all(...) __cudair_all(__VA_ARGS__)
__CUDAIR_UNKNOWN __cudair_other_group(void);
#define __same_group __cudair_other_group()

/* Results, and values at the start. */
__CUDAIR_UNKNOWN __return_val_int(void);
__CUDAIR_UNKNOWN __return_val_bool(void);
__CUDAIR_UNKNOWN __return_val_ptr(void);
__CUDAIR_UNKNOWN __cudair_return_value(void);
#define __return_val_funptr(type) __cudair_return_value()
__CUDAIR_OF(__old_int)
__CUDAIR_OF(__old_bool)

/* What holds in every thread of every kernel of the file, from its start. */
#define __CUDAIR_AXIOM(number, ...) \
    static __attribute__((unused)) __device__ void __cudair_axiom_##number(void) { __assume(__VA_ARGS__); }
#define __CUDAIR_AXIOM_OF(number, ...) __CUDAIR_AXIOM(number, __VA_ARGS__)
#define __axiom(...) __CUDAIR_AXIOM_OF(__COUNTER__, __VA_ARGS__) extern int __cudair_no_axiom

/* A thread that evaluates an annotation is enabled. */
__CUDAIR_HD bool __enabled(void) { return true; }
__CUDAIR_HD bool __dominator_enabled(void) { return true; }
#define __implies(a, b) (!(a) || (b))
#define __is_pow2(x) ((((x) & ((x)-1)) == 0))
#define __mod_pow2(x, y) (((y)-1) & (x))

#endif

#endif
