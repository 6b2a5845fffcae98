/* cuRAND's generators for device code: XORWOW and Philox4x32-10, number for number; and what is drawn from them. */
#ifndef CURAND_KERNEL_H_
#define CURAND_KERNEL_H_
#define CUDAIR_CURAND_KERNEL_H

#include <cuda_runtime.h>

#define CURAND_2POW32_INV (2.3283064e-10f)
#define CURAND_2POW32_INV_DOUBLE (2.3283064365386963e-10)
#define CURAND_2POW53_INV_DOUBLE (1.1102230246251565e-16)
#define CURAND_2POW32_INV_2PI (2.3283064e-10f * 6.2831855f)
#define CURAND_2PI (6.2831855f)
#define CURAND_SQRT2 (-1.4142135f)
#define CURAND_SQRT2_DOUBLE (-1.4142135623730951)

/* The second number of a pair of normal ones waits for the next call. */
struct curandStateXORWOW {
    unsigned int d, v[5];
    int boxmuller_flag;
    int boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;

struct curandStatePhilox4_32_10 {
    uint4 ctr;
    uint4 output;
    uint2 key;
    unsigned int STATE;
    int boxmuller_flag;
    int boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

#define __CUDAIR_MISSING(NAME)                                                                         \
    typedef struct NAME NAME                                                                           \
        __attribute__((unavailable("cudair does not support the generator " #NAME " of cuRAND yet"))); \
    typedef struct NAME NAME##_t                                                                       \
        __attribute__((unavailable("cudair does not support the generator " #NAME " of cuRAND yet")));
__CUDAIR_MISSING(curandStateMRG32k3a)
__CUDAIR_MISSING(curandStateMtgp32)
__CUDAIR_MISSING(curandStateSobol32)
__CUDAIR_MISSING(curandStateSobol64)
__CUDAIR_MISSING(curandStateScrambledSobol32)
__CUDAIR_MISSING(curandStateScrambledSobol64)
#undef __CUDAIR_MISSING

#if defined(__CUDA__)
/* The words after n * 2^shift steps. */
extern "C" __device__ void __cudair_xorwow_jump(unsigned int* words, unsigned long long n, unsigned int shift);

#define __CUDAIR_R static __inline__ __device__

/* XORWOW. */
__CUDAIR_R void __cudair_xorwow_skip(unsigned long long n, unsigned int shift, curandStateXORWOW_t* state) {
    unsigned int words[5] = {state->v[0], state->v[1], state->v[2], state->v[3], state->v[4]};
    __cudair_xorwow_jump(words, n, shift);
    for (int i = 0; i < 5; i++)
        state->v[i] = words[i];
}
__CUDAIR_R void skipahead(unsigned long long n, curandStateXORWOW_t* state) {
    if (n != 0)
        __cudair_xorwow_skip(n, 0, state);
    state->d += 362437u * (unsigned int)n;
}
/* Sequences are 2^67 numbers apart. */
__CUDAIR_R void skipahead_sequence(unsigned long long n, curandStateXORWOW_t* state) {
    if (n != 0)
        __cudair_xorwow_skip(n, 67, state);
}
__CUDAIR_R void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                            curandStateXORWOW_t* state) {
    unsigned int s0 = (unsigned int)seed ^ 0xaad26b49u, s1 = (unsigned int)(seed >> 32) ^ 0xf7dcefddu;
    unsigned int t0 = 1099087573u * s0, t1 = 2591861531u * s1;
    state->d = 6615241u + t1 + t0;
    state->v[0] = 123456789u + t0;
    state->v[1] = 362436069u ^ t0;
    state->v[2] = 521288629u + t1;
    state->v[3] = 88675123u ^ t1;
    state->v[4] = 5783321u + t0;
    skipahead_sequence(subsequence, state);
    skipahead(offset, state);
    state->boxmuller_flag = 0;
    state->boxmuller_flag_double = 0;
    state->boxmuller_extra = 0.0f;
    state->boxmuller_extra_double = 0.0;
}
__CUDAIR_R unsigned int curand(curandStateXORWOW_t* state) {
    unsigned int t = state->v[0] ^ (state->v[0] >> 2);
    state->v[0] = state->v[1];
    state->v[1] = state->v[2];
    state->v[2] = state->v[3];
    state->v[3] = state->v[4];
    state->v[4] = (state->v[4] ^ (state->v[4] << 4)) ^ (t ^ (t << 1));
    state->d += 362437u;
    return state->v[4] + state->d;
}

/* Philox: a block of four numbers is a function of the counter and the key. */
__CUDAIR_R uint4 curand_Philox4x32_10(uint4 c, uint2 k) {
    for (int round = 0; round < 10; round++) {
        unsigned long long a = 0xd2511f53ull * c.x, b = 0xcd9e8d57ull * c.z;
        unsigned int x = (unsigned int)(b >> 32) ^ c.y ^ k.x, z = (unsigned int)(a >> 32) ^ c.w ^ k.y;
        c.x = x;
        c.y = (unsigned int)b;
        c.z = z;
        c.w = (unsigned int)a;
        k.x += 0x9e3779b9u;
        k.y += 0xbb67ae85u;
    }
    return c;
}
__CUDAIR_R void Philox_State_Incr(curandStatePhilox4_32_10_t* s, unsigned long long n) {
    unsigned long long low = (unsigned long long)s->ctr.y << 32 | s->ctr.x;
    unsigned long long sum = low + n;
    s->ctr.x = (unsigned int)sum;
    s->ctr.y = (unsigned int)(sum >> 32);
    if (sum < low && ++s->ctr.z == 0)
        ++s->ctr.w;
}
__CUDAIR_R void Philox_State_Incr(curandStatePhilox4_32_10_t* s) { Philox_State_Incr(s, 1ull); }
__CUDAIR_R void skipahead(unsigned long long n, curandStatePhilox4_32_10_t* state) {
    state->STATE += (unsigned int)(n & 3);
    n /= 4;
    if (state->STATE > 3) {
        n += 1;
        state->STATE -= 4;
    }
    Philox_State_Incr(state, n);
    state->output = curand_Philox4x32_10(state->ctr, state->key);
}
/* Sequences have the upper half of the counter. */
__CUDAIR_R void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t* state) {
    unsigned long long sum = ((unsigned long long)state->ctr.w << 32 | state->ctr.z) + n;
    state->ctr.z = (unsigned int)sum;
    state->ctr.w = (unsigned int)(sum >> 32);
    state->output = curand_Philox4x32_10(state->ctr, state->key);
}
__CUDAIR_R void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                            curandStatePhilox4_32_10_t* state) {
    state->ctr = make_uint4(0, 0, 0, 0);
    state->key = make_uint2((unsigned int)seed, (unsigned int)(seed >> 32));
    state->STATE = 0;
    state->boxmuller_flag = 0;
    state->boxmuller_flag_double = 0;
    state->boxmuller_extra = 0.0f;
    state->boxmuller_extra_double = 0.0;
    skipahead_sequence(subsequence, state);
    skipahead(offset, state);
}
__CUDAIR_R unsigned int curand(curandStatePhilox4_32_10_t* state) {
    unsigned int out = state->STATE == 0   ? state->output.x
                       : state->STATE == 1 ? state->output.y
                       : state->STATE == 2 ? state->output.z
                                           : state->output.w;
    state->STATE++;
    if (state->STATE > 3) {
        Philox_State_Incr(state);
        state->output = curand_Philox4x32_10(state->ctr, state->key);
        state->STATE = 0;
    }
    return out;
}
__CUDAIR_R uint4 curand4(curandStatePhilox4_32_10_t* state) {
    uint4 a = state->output;
    Philox_State_Incr(state);
    state->output = curand_Philox4x32_10(state->ctr, state->key);
    uint4 b = state->output;
    return state->STATE == 0   ? a
           : state->STATE == 1 ? make_uint4(a.y, a.z, a.w, b.x)
           : state->STATE == 2 ? make_uint4(a.z, a.w, b.x, b.y)
                               : make_uint4(a.w, b.x, b.y, b.z);
}

/* Numbers in (0, 1], and pairs of normal ones. */
__CUDAIR_R float _curand_uniform(unsigned int x) { return x * CURAND_2POW32_INV + (CURAND_2POW32_INV / 2.0f); }
__CUDAIR_R double _curand_uniform_double_hq(unsigned int x, unsigned int y) {
    unsigned long long z = (unsigned long long)x ^ ((unsigned long long)y << (53 - 32));
    return z * CURAND_2POW53_INV_DOUBLE + (CURAND_2POW53_INV_DOUBLE / 2.0);
}
__CUDAIR_R float2 _curand_box_muller(unsigned int x, unsigned int y) {
    float2 result;
    float u = x * CURAND_2POW32_INV + (CURAND_2POW32_INV / 2);
    float v = y * CURAND_2POW32_INV_2PI + (CURAND_2POW32_INV_2PI / 2);
    float s = sqrtf(-2.0f * logf(u));
    __sincosf(v, &result.x, &result.y);
    result.x *= s;
    result.y *= s;
    return result;
}
__CUDAIR_R double2 _curand_box_muller_double(unsigned int x0, unsigned int x1, unsigned int y0, unsigned int y1) {
    double2 result;
    unsigned long long zx = (unsigned long long)x0 ^ ((unsigned long long)x1 << (53 - 32));
    unsigned long long zy = (unsigned long long)y0 ^ ((unsigned long long)y1 << (53 - 32));
    double u = zx * CURAND_2POW53_INV_DOUBLE + (CURAND_2POW53_INV_DOUBLE / 2.0);
    double v = zy * (CURAND_2POW53_INV_DOUBLE * 2.0) + CURAND_2POW53_INV_DOUBLE;
    double s = sqrt(-2.0 * log(u));
    sincospi(v, &result.x, &result.y);
    result.x *= s;
    result.y *= s;
    return result;
}
#define __CUDAIR_DRAW(S)                                                                               \
    __CUDAIR_R float curand_uniform(S* state) { return _curand_uniform(curand(state)); }               \
    __CUDAIR_R double curand_uniform_double(S* state) {                                                \
        unsigned int x = curand(state), y = curand(state);                                             \
        return _curand_uniform_double_hq(x, y);                                                        \
    }                                                                                                  \
    __CUDAIR_R float2 curand_normal2(S* state) {                                                       \
        unsigned int x = curand(state), y = curand(state);                                             \
        return _curand_box_muller(x, y);                                                               \
    }                                                                                                  \
    __CUDAIR_R float curand_normal(S* state) {                                                         \
        if (state->boxmuller_flag == 1) {                                                              \
            state->boxmuller_flag = 0;                                                                 \
            return state->boxmuller_extra;                                                             \
        }                                                                                              \
        float2 v = curand_normal2(state);                                                              \
        state->boxmuller_extra = v.y;                                                                  \
        state->boxmuller_flag = 1;                                                                     \
        return v.x;                                                                                    \
    }                                                                                                  \
    __CUDAIR_R double2 curand_normal2_double(S* state) {                                               \
        unsigned int x0 = curand(state), x1 = curand(state), y0 = curand(state), y1 = curand(state);   \
        return _curand_box_muller_double(x0, x1, y0, y1);                                              \
    }                                                                                                  \
    __CUDAIR_R double curand_normal_double(S* state) {                                                 \
        if (state->boxmuller_flag_double == 1) {                                                       \
            state->boxmuller_flag_double = 0;                                                          \
            return state->boxmuller_extra_double;                                                      \
        }                                                                                              \
        double2 v = curand_normal2_double(state);                                                      \
        state->boxmuller_extra_double = v.y;                                                           \
        state->boxmuller_flag_double = 1;                                                              \
        return v.x;                                                                                    \
    }                                                                                                  \
    __CUDAIR_R float curand_log_normal(S* state, float mean, float stddev) {                           \
        return expf(mean + stddev * curand_normal(state));                                             \
    }                                                                                                  \
    __CUDAIR_R double curand_log_normal_double(S* state, double mean, double stddev) {                 \
        return exp(mean + stddev * curand_normal_double(state));                                       \
    }                                                                                                  \
    __CUDAIR_R float2 curand_log_normal2(S* state, float mean, float stddev) {                         \
        float2 v = curand_normal2(state);                                                              \
        return make_float2(expf(mean + stddev * v.x), expf(mean + stddev * v.y));                      \
    }                                                                                                  \
    __device__ unsigned int curand_poisson(S* state, double lambda)                                    \
        __attribute__((unavailable("cudair does not support curand_poisson yet")));
__CUDAIR_DRAW(curandStateXORWOW_t)
__CUDAIR_DRAW(curandStatePhilox4_32_10_t)
#undef __CUDAIR_DRAW

__CUDAIR_R float4 curand_uniform4(curandStatePhilox4_32_10_t* state) {
    uint4 x = curand4(state);
    return make_float4(_curand_uniform(x.x), _curand_uniform(x.y), _curand_uniform(x.z), _curand_uniform(x.w));
}
__CUDAIR_R double2 curand_uniform2_double(curandStatePhilox4_32_10_t* state) {
    uint4 x = curand4(state);
    return make_double2(_curand_uniform_double_hq(x.x, x.y), _curand_uniform_double_hq(x.z, x.w));
}
__CUDAIR_R float4 curand_normal4(curandStatePhilox4_32_10_t* state) {
    uint4 x = curand4(state);
    float2 a = _curand_box_muller(x.x, x.y), b = _curand_box_muller(x.z, x.w);
    return make_float4(a.x, a.y, b.x, b.y);
}
#undef __CUDAIR_R
#endif

#endif
