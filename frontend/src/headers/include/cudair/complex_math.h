/* Functions of complex numbers, for both sides: what Thrust's and libcu++'s classes share.

   Each takes and gives the two parts. Infinities, not-a-numbers and the signs of zeros are as C's annex G has them. Inverse
   functions follow Hull, Fairgrieve and Tang; the hyperbolic tangent and its inverse follow Kahan: no sum of theirs loses what
   the result rests on, and no square overflows. */
#ifndef CUDAIR_COMPLEX_MATH_H
#define CUDAIR_COMPLEX_MATH_H

#include <cuda_runtime.h>
#include <limits>
#include <math.h>

namespace __cudair_complex {

template <typename T> struct parts {
    T re, im;
};

/* One name for all types, whatever <cmath> has brought into the global namespace. */
#define __CUDAIR_ONE(name)                                                                                              \
    __host__ __device__ inline float f_##name(float x) { return ::name##f(x); }                                         \
    __host__ __device__ inline double f_##name(double x) { return ::name(x); }                                          \
    __host__ inline long double f_##name(long double x) { return ::name##l(x); }
#define __CUDAIR_TWO(name)                                                                                              \
    __host__ __device__ inline float f_##name(float x, float y) { return ::name##f(x, y); }                             \
    __host__ __device__ inline double f_##name(double x, double y) { return ::name(x, y); }                             \
    __host__ inline long double f_##name(long double x, long double y) { return ::name##l(x, y); }
__CUDAIR_ONE(fabs)
__CUDAIR_ONE(sqrt)
__CUDAIR_ONE(exp)
__CUDAIR_ONE(log)
__CUDAIR_ONE(log1p)
__CUDAIR_ONE(sin)
__CUDAIR_ONE(cos)
__CUDAIR_ONE(tan)
__CUDAIR_ONE(asin)
__CUDAIR_ONE(acos)
__CUDAIR_ONE(sinh)
__CUDAIR_ONE(cosh)
__CUDAIR_ONE(tanh)
__CUDAIR_ONE(logb)
__CUDAIR_TWO(hypot)
__CUDAIR_TWO(atan2)
__CUDAIR_TWO(copysign)
#undef __CUDAIR_ONE
#undef __CUDAIR_TWO
__host__ __device__ inline float f_fma(float x, float y, float z) { return ::fmaf(x, y, z); }
__host__ __device__ inline double f_fma(double x, double y, double z) { return ::fma(x, y, z); }
__host__ inline long double f_fma(long double x, long double y, long double z) { return ::fmal(x, y, z); }

__host__ __device__ inline float f_scalbn(float x, int n) { return ::scalbnf(x, n); }
__host__ __device__ inline double f_scalbn(double x, int n) { return ::scalbn(x, n); }
__host__ inline long double f_scalbn(long double x, int n) { return ::scalbnl(x, n); }

#define __CUDAIR_OF_PARTS template <typename T> __host__ __device__ inline parts<T>
#define __CUDAIR_OF_REAL template <typename T> __host__ __device__ inline T

__CUDAIR_OF_REAL infinity() { return std::numeric_limits<T>::infinity(); }
__CUDAIR_OF_REAL no_number() { return std::numeric_limits<T>::quiet_NaN(); }
template <typename T> __host__ __device__ inline bool is_nan(T x) { return x != x; }
template <typename T> __host__ __device__ inline bool is_infinite(T x) { return f_fabs(x) == infinity<T>(); }
template <typename T> __host__ __device__ inline bool is_finite(T x) { return f_fabs(x) < infinity<T>(); }
/* The logarithm of 2, a quarter and a half of the circle. */
__CUDAIR_OF_REAL log_two() { return T(0.693147180559945309417232121458176568L); }
__CUDAIR_OF_REAL quarter_turn() { return T(1.570796326794896619231321691639751442L); }
/* From here on exp and its kin overflow, or nearly so. */
__CUDAIR_OF_REAL exp_is_huge() { return T(0.69L) * T(std::numeric_limits<T>::max_exponent); }
/* From here on the reciprocal's square is nothing beside 1. */
__CUDAIR_OF_REAL is_huge() { return T(8) / std::numeric_limits<T>::epsilon(); }

/* The sign of what is infinite, or of zero for the rest: what an infinite number is beside another. */
__CUDAIR_OF_REAL direction(T x) { return f_copysign(is_infinite(x) ? T(1) : T(0), x); }
__CUDAIR_OF_REAL number_or_zero(T x) { return is_nan(x) ? f_copysign(T(0), x) : x; }

/* (a + ib)(c + id). Where it comes out as no number although a factor is infinite, it is infinite. */
__CUDAIR_OF_PARTS product(T a, T b, T c, T d) {
    const T ac = a * c, bd = b * d, ad = a * d, bc = b * c;
    const T re = ac - bd, im = ad + bc;
    if (!is_nan(re) || !is_nan(im)) return {re, im};
    const bool first = is_infinite(a) || is_infinite(b), second = is_infinite(c) || is_infinite(d);
    if (!first && !second && !is_infinite(ac) && !is_infinite(bd) && !is_infinite(ad) && !is_infinite(bc)) return {re, im};
    if (first) a = direction(a), b = direction(b);
    if (second) c = direction(c), d = direction(d);
    a = number_or_zero(a), b = number_or_zero(b), c = number_or_zero(c), d = number_or_zero(d);
    return {infinity<T>() * (a * c - b * d), infinity<T>() * (a * d + b * c)};
}

/* (a + ib) / (c + id), the divisor scaled by a power of two, so that its square neither overflows nor vanishes. */
__CUDAIR_OF_PARTS quotient(T a, T b, T c, T d) {
    const T size = f_logb(f_fabs(c) < f_fabs(d) ? f_fabs(d) : f_fabs(c));
    int by = 0;
    if (is_finite(size)) {
        by = -int(size);
        c = f_scalbn(c, by), d = f_scalbn(d, by);
    }
    const T square = c * c + d * d;
    const T re = f_scalbn((a * c + b * d) / square, by), im = f_scalbn((b * c - a * d) / square, by);
    if (!is_nan(re) || !is_nan(im)) return {re, im};
    if (square == T(0) && (!is_nan(a) || !is_nan(b))) {
        const T all = f_copysign(infinity<T>(), c);
        return {all * a, all * b};
    }
    if ((is_infinite(a) || is_infinite(b)) && is_finite(c) && is_finite(d)) {
        a = direction(a), b = direction(b);
        return {infinity<T>() * (a * c + b * d), infinity<T>() * (b * c - a * d)};
    }
    if (size == infinity<T>() && is_finite(a) && is_finite(b)) {
        c = direction(c), d = direction(d);
        return {T(0) * (a * c + b * d), T(0) * (b * c - a * d)};
    }
    return {re, im};
}

__CUDAIR_OF_PARTS exp(T a, T b) {
    if (b == T(0)) return {f_exp(a), b};
    if (is_infinite(a) && !is_finite(b)) {
        if (a < T(0)) return {T(0), f_copysign(T(0), b)};
        return {a, no_number<T>()};
    }
    const T c = f_cos(b), s = f_sin(b);
    if (a > exp_is_huge<T>()) {
        const T half = f_exp(a * T(0.5));
        return {half * c * half, half * s * half};
    }
    const T m = f_exp(a);
    return {m * c, m * s};
}

/* The logarithm of the absolute value. Near 1 it is that of the sum of squares less 1, which is summed in twice the precision. */
__CUDAIR_OF_REAL log_abs(T a, T b) {
    if (is_infinite(a) || is_infinite(b)) return infinity<T>();
    T x = f_fabs(a), y = f_fabs(b);
    if (x < y) {
        const T swapped = x;
        x = y;
        y = swapped;
    }
    if (x > T(0.5) && x < T(1.5)) {
        /* No product here may be fused with what is added to it. */
        const T xx = f_fma(x, x, T(0)), yy = f_fma(y, y, T(0));
        const T more = f_fma(x, x, -xx) + f_fma(y, y, -yy);
        const T less = xx - T(1);
        const T sum = less + yy;
        const T taken = sum - less;
        const T lost = (less - (sum - taken)) + (yy - taken);
        return T(0.5) * f_log1p(sum + (lost + more));
    }
    if (x > std::numeric_limits<T>::max() / T(4)) return f_log(f_hypot(x / T(4), y / T(4))) + T(2) * log_two<T>();
    if (x < std::numeric_limits<T>::min() / std::numeric_limits<T>::epsilon()) {
        const T up = T(1) / std::numeric_limits<T>::epsilon();
        return f_log(f_hypot(x * up, y * up)) - T(std::numeric_limits<T>::digits - 1) * log_two<T>();
    }
    return f_log(f_hypot(x, y));
}

__CUDAIR_OF_PARTS log(T a, T b) { return {log_abs(a, b), f_atan2(b, a)}; }

__CUDAIR_OF_PARTS sqrt(T a, T b) {
    if (a == T(0) && b == T(0)) return {T(0), b};
    if (is_infinite(b)) return {infinity<T>(), b};
    if (is_nan(a)) return {a, a};
    if (is_infinite(a)) {
        const T none = is_nan(b) ? b : T(0);
        if (a > T(0)) return {a, f_copysign(none, b)};
        return {none, f_copysign(-a, b)};
    }
    /* A power of four, so that the root's is one of two. */
    T back = T(1);
    const T most = f_fabs(a) < f_fabs(b) ? f_fabs(b) : f_fabs(a);
    if (most > std::numeric_limits<T>::max() / T(8)) {
        a *= T(0.0625), b *= T(0.0625), back = T(4);
    } else if (most < std::numeric_limits<T>::min() * T(16)) {
        const T down = T(1) / T(1ull << (std::numeric_limits<T>::digits / 2));
        const T up = T(1ull << (std::numeric_limits<T>::digits / 2));
        a = a * up * up, b = b * up * up, back = down;
    }
    const T t = f_sqrt((f_fabs(a) + f_hypot(a, b)) * T(0.5)) * back;
    const T other = f_fabs(b) / (T(2) * t) * (back * back);
    if (a >= T(0)) return {t, f_copysign(other, b)};
    return {other, f_copysign(t, b)};
}

__CUDAIR_OF_PARTS sinh(T a, T b) {
    if (b == T(0)) return {f_sinh(a), b};
    if (a == T(0)) return {is_finite(b) ? a * f_cos(b) : a, f_sin(b)};
    if (!is_finite(b)) return {is_infinite(a) ? a : no_number<T>(), no_number<T>()};
    const T c = f_cos(b), s = f_sin(b);
    if (f_fabs(a) > exp_is_huge<T>()) {
        const T half = f_exp(f_fabs(a) * T(0.5));
        return {f_copysign(T(0.5), a) * half * c * half, T(0.5) * half * s * half};
    }
    return {f_sinh(a) * c, f_cosh(a) * s};
}

__CUDAIR_OF_PARTS cosh(T a, T b) {
    if (b == T(0)) return {f_cosh(a), f_copysign(T(1), a) * b};
    if (a == T(0)) return {f_cos(b), is_finite(b) ? a * f_sin(b) : a};
    if (!is_finite(b)) return {is_infinite(a) ? infinity<T>() : no_number<T>(), no_number<T>()};
    const T c = f_cos(b), s = f_sin(b);
    if (f_fabs(a) > exp_is_huge<T>()) {
        const T half = f_exp(f_fabs(a) * T(0.5));
        return {T(0.5) * half * c * half, f_copysign(T(0.5), a) * half * s * half};
    }
    return {f_cosh(a) * c, f_sinh(a) * s};
}

__CUDAIR_OF_PARTS tanh(T a, T b) {
    if (b == T(0)) return {f_tanh(a), b};
    if (is_infinite(a)) return {f_copysign(T(1), a), f_copysign(T(0), is_finite(b) ? f_sin(b) * f_cos(b) : b)};
    if (a == T(0)) return {a, f_tan(b)};
    if (!is_finite(b) || is_nan(a)) return {no_number<T>(), no_number<T>()};
    if (f_fabs(a) > T(0.4L) * T(std::numeric_limits<T>::digits)) {
        return {f_copysign(T(1), a), T(4) * f_sin(b) * f_cos(b) * f_exp(T(-2) * f_fabs(a))};
    }
    const T t = f_tan(b), s = f_sinh(a);
    const T beta = T(1) + t * t, rho = f_sqrt(T(1) + s * s);
    const T d = T(1) + beta * s * s;
    return {beta * rho * s / d, t / d};
}

/* What the inverse sine and cosine of x + iy share, both parts positive: the angle is that of the point (across, along), or,
   where `by_ratio` says so, `ratio` is its sine. */
template <typename T> struct arc {
    T across, along, ratio, imaginary;
    bool by_ratio;
};
template <typename T> __host__ __device__ inline arc<T> arc_of(T x, T y) {
    if (x > is_huge<T>() || y > is_huge<T>()) {
        return {x, y, T(0), f_log(f_hypot(x * T(0.5), y * T(0.5))) + T(2) * log_two<T>(), false};
    }
    const T r = f_hypot(x + T(1), y), s = f_hypot(x - T(1), y);
    const T a = (r + s) * T(0.5), ratio = x / a;
    /* y * y / (r + (x + 1)) + y * y / (s + (1 - x)), where the last divisor does not vanish. */
    T less, root;
    if (x < T(1)) {
        const T c = T(0.5) * (T(1) / (r + (x + T(1))) + T(1) / (s + (T(1) - x)));
        less = y * (y * c);
        root = y * f_sqrt(c * (a + T(1)));
    } else {
        less = T(0.5) * (y * y / (r + (x + T(1))) + (s + (x - T(1))));
        root = f_sqrt(less * (a + T(1)));
    }
    const T imaginary = a < T(1.5) ? f_log1p(less + root) : f_log(a + f_sqrt((a - T(1)) * (a + T(1))));
    if (ratio <= T(0.6417L)) return {x, T(0), ratio, imaginary, true};
    const T sum = a + x;
    const T along = x <= T(1) ? f_sqrt(T(0.5) * sum * (y * (y / (r + (x + T(1)))) + (s + (T(1) - x))))
                              : y * f_sqrt(T(0.5) * (sum / (r + (x + T(1))) + sum / (s + (x - T(1)))));
    return {x, along, ratio, imaginary, false};
}

__CUDAIR_OF_PARTS asin(T a, T b) {
    if (is_nan(a) || is_nan(b)) {
        if (is_infinite(a)) return {b, a};
        if (is_infinite(b)) return {a, b};
        return {a == T(0) ? a : no_number<T>(), no_number<T>()};
    }
    if (is_infinite(a) || is_infinite(b)) {
        return {f_copysign(f_atan2(f_fabs(a), f_fabs(b)), a), f_copysign(infinity<T>(), b)};
    }
    const arc<T> of = arc_of(f_fabs(a), f_fabs(b));
    const T angle = of.by_ratio ? f_asin(of.ratio) : f_atan2(of.across, of.along);
    return {f_copysign(angle, a), f_copysign(of.imaginary, b)};
}

__CUDAIR_OF_PARTS acos(T a, T b) {
    if (is_nan(a) || is_nan(b)) {
        if (is_infinite(a)) return {b, a};
        if (is_infinite(b)) return {a, -b};
        return {a == T(0) ? quarter_turn<T>() : no_number<T>(), no_number<T>()};
    }
    if (is_infinite(a) || is_infinite(b)) return {f_atan2(f_fabs(b), a), f_copysign(infinity<T>(), -b)};
    const arc<T> of = arc_of(f_fabs(a), f_fabs(b));
    const T angle = of.by_ratio ? f_acos(f_copysign(of.ratio, a)) : f_atan2(of.along, f_copysign(of.across, a));
    return {angle, f_copysign(of.imaginary, -b)};
}

__CUDAIR_OF_PARTS atanh(T a, T b) {
    if (is_nan(a) || is_nan(b)) {
        if (is_infinite(a)) return {f_copysign(T(0), a), b};
        if (is_infinite(b)) return {f_copysign(T(0), a), f_copysign(quarter_turn<T>(), b)};
        return {a == T(0) ? a : no_number<T>(), no_number<T>()};
    }
    const T x = f_fabs(a), y = f_fabs(b);
    if (is_infinite(x) || is_infinite(y)) return {f_copysign(T(0), a), f_copysign(quarter_turn<T>(), b)};
    if (x > is_huge<T>() || y > is_huge<T>()) {
        /* The real part is that of the reciprocal. */
        const T h = f_hypot(x * T(0.5), y * T(0.5));
        return {f_copysign(x * T(0.5) / h / h * T(0.5), a), f_copysign(quarter_turn<T>(), b)};
    }
    /* Where both vanish, y's square may do so first. */
    const T real = x == T(1) && y < T(1) ? T(0.5) * (f_log(f_hypot(y, T(2))) - f_log(y))
                                         : T(0.25) * f_log1p(T(4) * x / ((T(1) - x) * (T(1) - x) + y * y));
    const T angle = f_atan2(T(2) * y, (T(1) - x) * (T(1) + x) - y * y);
    return {f_copysign(real, a), f_copysign(T(0.5) * angle, b)};
}

/* The rest are these of z times i. */
__CUDAIR_OF_PARTS sin(T a, T b) {
    const parts<T> z = __cudair_complex::sinh(b, a);
    return {z.im, z.re};
}
__CUDAIR_OF_PARTS cos(T a, T b) { return __cudair_complex::cosh(-b, a); }
__CUDAIR_OF_PARTS tan(T a, T b) {
    const parts<T> z = __cudair_complex::tanh(b, a);
    return {z.im, z.re};
}
__CUDAIR_OF_PARTS asinh(T a, T b) {
    const parts<T> z = __cudair_complex::asin(b, a);
    return {z.im, z.re};
}
__CUDAIR_OF_PARTS acosh(T a, T b) {
    const parts<T> z = __cudair_complex::acos(a, b);
    return {f_fabs(z.im), f_copysign(z.re, b)};
}
__CUDAIR_OF_PARTS atan(T a, T b) {
    const parts<T> z = __cudair_complex::atanh(b, a);
    return {z.im, z.re};
}

__CUDAIR_OF_PARTS proj(T a, T b) {
    if (!is_infinite(a) && !is_infinite(b)) return {a, b};
    return {infinity<T>(), f_copysign(T(0), b)};
}

#undef __CUDAIR_OF_PARTS
#undef __CUDAIR_OF_REAL

} /* namespace __cudair_complex */

#endif
