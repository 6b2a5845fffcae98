/* Warp operations: shuffles, votes, matches, reductions. */
#ifndef CUDAIR_WARP_H
#define CUDAIR_WARP_H

extern "C" {
__device__ unsigned int __activemask(void);
/* What a function without a mask takes for one. */
__device__ unsigned int __cudair_implied_mask(void);
__device__ int __all_sync(unsigned int mask, int predicate);
__device__ int __any_sync(unsigned int mask, int predicate);
__device__ int __uni_sync(unsigned int mask, int predicate);
__device__ unsigned int __ballot_sync(unsigned int mask, int predicate);

/* (mask, value, lane, delta or lane mask; width of the segments) */
#define __CUDAIR_SHFL(S, T)                                                                            \
    __device__ T __cudair_shfl_idx_##S(unsigned int mask, T value, int lane, int width);               \
    __device__ T __cudair_shfl_up_##S(unsigned int mask, T value, unsigned int delta, int width);      \
    __device__ T __cudair_shfl_down_##S(unsigned int mask, T value, unsigned int delta, int width);    \
    __device__ T __cudair_shfl_xor_##S(unsigned int mask, T value, int lane_mask, int width);
__CUDAIR_SHFL(i32, int)
__CUDAIR_SHFL(i64, long long)
__CUDAIR_SHFL(f32, float)
__CUDAIR_SHFL(f64, double)
#undef __CUDAIR_SHFL

/* The lanes of mask whose value equals the caller's; all: mask where every lane's is equal, else 0. */
__device__ unsigned int __cudair_match_any_i32(unsigned int mask, unsigned int value);
__device__ unsigned int __cudair_match_any_i64(unsigned int mask, unsigned long long value);
__device__ unsigned int __cudair_match_all_i32(unsigned int mask, unsigned int value);
__device__ unsigned int __cudair_match_all_i64(unsigned int mask, unsigned long long value);

__device__ unsigned int __cudair_reduce_add_i32(unsigned int mask, unsigned int value);
__device__ unsigned int __cudair_reduce_min_u32(unsigned int mask, unsigned int value);
__device__ unsigned int __cudair_reduce_max_u32(unsigned int mask, unsigned int value);
__device__ int __cudair_reduce_min_s32(unsigned int mask, int value);
__device__ int __cudair_reduce_max_s32(unsigned int mask, int value);
__device__ unsigned int __cudair_reduce_and_i32(unsigned int mask, unsigned int value);
__device__ unsigned int __cudair_reduce_or_i32(unsigned int mask, unsigned int value);
__device__ unsigned int __cudair_reduce_xor_i32(unsigned int mask, unsigned int value);
}

/* One overload per type, in the form with a mask and in the older one without, where the mask is the
   lanes that are active. */
#define __CUDAIR_SHFL(T, S, P)                                                                         \
    __CUDAIR_D T __shfl_sync(unsigned int mask, T value, int lane, int width = 32) {                   \
        return (T)__cudair_shfl_idx_##S(mask, (P)value, lane, width);                                  \
    }                                                                                                  \
    __CUDAIR_D T __shfl_up_sync(unsigned int mask, T value, unsigned int delta, int width = 32) {      \
        return (T)__cudair_shfl_up_##S(mask, (P)value, delta, width);                                  \
    }                                                                                                  \
    __CUDAIR_D T __shfl_down_sync(unsigned int mask, T value, unsigned int delta, int width = 32) {    \
        return (T)__cudair_shfl_down_##S(mask, (P)value, delta, width);                                \
    }                                                                                                  \
    __CUDAIR_D T __shfl_xor_sync(unsigned int mask, T value, int lane_mask, int width = 32) {          \
        return (T)__cudair_shfl_xor_##S(mask, (P)value, lane_mask, width);                             \
    }                                                                                                  \
    __CUDAIR_D T __shfl(T value, int lane, int width = 32) {                                           \
        return (T)__cudair_shfl_idx_##S(__cudair_implied_mask(), (P)value, lane, width);               \
    }                                                                                                  \
    __CUDAIR_D T __shfl_up(T value, unsigned int delta, int width = 32) {                              \
        return (T)__cudair_shfl_up_##S(__cudair_implied_mask(), (P)value, delta, width);               \
    }                                                                                                  \
    __CUDAIR_D T __shfl_down(T value, unsigned int delta, int width = 32) {                            \
        return (T)__cudair_shfl_down_##S(__cudair_implied_mask(), (P)value, delta, width);             \
    }                                                                                                  \
    __CUDAIR_D T __shfl_xor(T value, int lane_mask, int width = 32) {                                  \
        return (T)__cudair_shfl_xor_##S(__cudair_implied_mask(), (P)value, lane_mask, width);          \
    }
__CUDAIR_SHFL(int, i32, int)
__CUDAIR_SHFL(unsigned int, i32, int)
__CUDAIR_SHFL(long, i64, long long)
__CUDAIR_SHFL(unsigned long, i64, long long)
__CUDAIR_SHFL(long long, i64, long long)
__CUDAIR_SHFL(unsigned long long, i64, long long)
__CUDAIR_SHFL(float, f32, float)
__CUDAIR_SHFL(double, f64, double)
#undef __CUDAIR_SHFL

__CUDAIR_D int __all(int predicate) { return __all_sync(__cudair_implied_mask(), predicate); }
__CUDAIR_D int __any(int predicate) { return __any_sync(__cudair_implied_mask(), predicate); }
__CUDAIR_D unsigned int __ballot(int predicate) { return __ballot_sync(__cudair_implied_mask(), predicate); }

extern "C" {
__device__ unsigned int __float_as_uint(float x);
__device__ long long __double_as_longlong(double x);
}
#define __CUDAIR_MATCH(T, S, E)                                                                        \
    __CUDAIR_D unsigned int __match_any_sync(unsigned int mask, T value) {                             \
        return __cudair_match_any_##S(mask, E);                                                        \
    }                                                                                                  \
    __CUDAIR_D unsigned int __match_all_sync(unsigned int mask, T value, int* predicate) {             \
        unsigned int same = __cudair_match_all_##S(mask, E);                                           \
        *predicate = same != 0;                                                                        \
        return same;                                                                                   \
    }
__CUDAIR_MATCH(int, i32, (unsigned int)value)
__CUDAIR_MATCH(unsigned int, i32, value)
__CUDAIR_MATCH(long, i64, (unsigned long long)value)
__CUDAIR_MATCH(unsigned long, i64, value)
__CUDAIR_MATCH(long long, i64, (unsigned long long)value)
__CUDAIR_MATCH(unsigned long long, i64, value)
__CUDAIR_MATCH(float, i32, __float_as_uint(value))
__CUDAIR_MATCH(double, i64, (unsigned long long)__double_as_longlong(value))
#undef __CUDAIR_MATCH

__CUDAIR_D unsigned int __reduce_add_sync(unsigned int mask, unsigned int value) {
    return __cudair_reduce_add_i32(mask, value);
}
__CUDAIR_D int __reduce_add_sync(unsigned int mask, int value) {
    return (int)__cudair_reduce_add_i32(mask, (unsigned int)value);
}
__CUDAIR_D unsigned int __reduce_min_sync(unsigned int mask, unsigned int value) {
    return __cudair_reduce_min_u32(mask, value);
}
__CUDAIR_D int __reduce_min_sync(unsigned int mask, int value) { return __cudair_reduce_min_s32(mask, value); }
__CUDAIR_D unsigned int __reduce_max_sync(unsigned int mask, unsigned int value) {
    return __cudair_reduce_max_u32(mask, value);
}
__CUDAIR_D int __reduce_max_sync(unsigned int mask, int value) { return __cudair_reduce_max_s32(mask, value); }
__CUDAIR_D unsigned int __reduce_and_sync(unsigned int mask, unsigned int value) {
    return __cudair_reduce_and_i32(mask, value);
}
__CUDAIR_D unsigned int __reduce_or_sync(unsigned int mask, unsigned int value) {
    return __cudair_reduce_or_i32(mask, value);
}
__CUDAIR_D unsigned int __reduce_xor_sync(unsigned int mask, unsigned int value) {
    return __cudair_reduce_xor_i32(mask, value);
}

#endif
