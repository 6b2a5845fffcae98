/* Complex numbers and their functions, for both sides. */
#ifndef CUDAIR_THRUST_COMPLEX_H
#define CUDAIR_THRUST_COMPLEX_H

#include <complex>
#include <cudair/complex_math.h>
#include <thrust/detail/core.h>

namespace thrust {

template <typename T> struct alignas(2 * sizeof(T)) complex {
    typedef T value_type;

private:
    T re, im;

public:
    /* It sets nothing, so that shared variables can be of this class. */
    complex() = default;
    __host__ __device__ constexpr complex(const T& r, const T& i = T()) : re(r), im(i) {}
    __host__ __device__ constexpr complex(const __cudair_complex::parts<T>& z) : re(z.re), im(z.im) {}
    complex(const complex&) = default;
    complex& operator=(const complex&) = default;
    template <typename U, typename = typename std::enable_if<!std::is_same<U, T>::value>::type>
    __host__ __device__ constexpr complex(const complex<U>& z) : re(static_cast<T>(z.real())), im(static_cast<T>(z.imag())) {}
    template <typename U> __host__ __device__ complex(const std::complex<U>& z)
        : re(static_cast<T>(reinterpret_cast<const U(&)[2]>(z)[0])), im(static_cast<T>(reinterpret_cast<const U(&)[2]>(z)[1])) {}
    __host__ __device__ complex& operator=(const T& r) {
        re = r;
        im = T();
        return *this;
    }
    template <typename U> __host__ __device__ complex& operator=(const complex<U>& z) {
        re = static_cast<T>(z.real());
        im = static_cast<T>(z.imag());
        return *this;
    }
    template <typename U> __host__ __device__ complex& operator=(const std::complex<U>& z) { return *this = complex(z); }

    __host__ __device__ constexpr T real() const { return re; }
    __host__ __device__ constexpr T imag() const { return im; }
    __host__ __device__ T real() const volatile { return re; }
    __host__ __device__ T imag() const volatile { return im; }
    __host__ __device__ void real(T r) { re = r; }
    __host__ __device__ void imag(T i) { im = i; }
    operator std::complex<T>() const { return std::complex<T>(re, im); }

    template <typename U> __host__ __device__ complex& operator+=(const complex<U>& z) { return *this = *this + complex(z); }
    template <typename U> __host__ __device__ complex& operator-=(const complex<U>& z) { return *this = *this - complex(z); }
    template <typename U> __host__ __device__ complex& operator*=(const complex<U>& z) { return *this = *this * complex(z); }
    template <typename U> __host__ __device__ complex& operator/=(const complex<U>& z) { return *this = *this / complex(z); }
    template <typename U> __host__ __device__ complex& operator+=(const U& x) { return *this = *this + T(x); }
    template <typename U> __host__ __device__ complex& operator-=(const U& x) { return *this = *this - T(x); }
    template <typename U> __host__ __device__ complex& operator*=(const U& x) { return *this = *this * T(x); }
    template <typename U> __host__ __device__ complex& operator/=(const U& x) { return *this = *this / T(x); }
};

namespace detail {
template <typename A, typename B> using joint = complex<typename std::common_type<A, B>::type>;
template <typename T> using if_number = typename std::enable_if<std::is_arithmetic<T>::value>::type;
template <typename T> __CUDAIR_HD complex<T> product(const complex<T>& a, const complex<T>& b) {
    return complex<T>(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
}
/* Scaled by the divisor's size, so that squares do not overflow. */
template <typename T> __CUDAIR_HD complex<T> quotient(const complex<T>& a, const complex<T>& b) {
    const T s = (b.real() < 0 ? -b.real() : b.real()) + (b.imag() < 0 ? -b.imag() : b.imag());
    const T one_over = T(1) / s;
    const T ar = a.real() * one_over, ai = a.imag() * one_over, br = b.real() * one_over, bi = b.imag() * one_over;
    const T scale = T(1) / (br * br + bi * bi);
    return complex<T>((ar * br + ai * bi) * scale, (ai * br - ar * bi) * scale);
}
}

#define __CUDAIR_OPERATOR(op, of_two, of_left, of_right)                                                                \
    template <typename A, typename B> __CUDAIR_HD detail::joint<A, B> operator op(const complex<A>& p, const complex<B>& q) { \
        const detail::joint<A, B> x(p), y(q);                                                                           \
        return of_two;                                                                                                  \
    }                                                                                                                   \
    template <typename A, typename B, typename = detail::if_number<B>>                                                  \
    __CUDAIR_HD detail::joint<A, B> operator op(const complex<A>& p, const B& q) {                                      \
        const detail::joint<A, B> x(p);                                                                                 \
        const typename detail::joint<A, B>::value_type y(q);                                                            \
        return of_left;                                                                                                 \
    }                                                                                                                   \
    template <typename A, typename B, typename = detail::if_number<A>>                                                  \
    __CUDAIR_HD detail::joint<A, B> operator op(const A& p, const complex<B>& q) {                                      \
        const typename detail::joint<A, B>::value_type x(p);                                                            \
        const detail::joint<A, B> y(q);                                                                                 \
        return of_right;                                                                                                \
    }
#define __CUDAIR_MADE(r, i) detail::joint<A, B>(r, i)
__CUDAIR_OPERATOR(+, __CUDAIR_MADE(x.real() + y.real(), x.imag() + y.imag()), __CUDAIR_MADE(x.real() + y, x.imag()),
                  __CUDAIR_MADE(x + y.real(), y.imag()))
__CUDAIR_OPERATOR(-, __CUDAIR_MADE(x.real() - y.real(), x.imag() - y.imag()), __CUDAIR_MADE(x.real() - y, x.imag()),
                  __CUDAIR_MADE(x - y.real(), -y.imag()))
__CUDAIR_OPERATOR(*, detail::product(x, y), __CUDAIR_MADE(x.real() * y, x.imag() * y), __CUDAIR_MADE(x * y.real(), x * y.imag()))
__CUDAIR_OPERATOR(/, detail::quotient(x, y), __CUDAIR_MADE(x.real() / y, x.imag() / y),
                  detail::quotient(detail::joint<A, B>(x), y))
#undef __CUDAIR_MADE
#undef __CUDAIR_OPERATOR
template <typename T> __CUDAIR_HD complex<T> operator+(const complex<T>& z) { return z; }
template <typename T> __CUDAIR_HD complex<T> operator-(const complex<T>& z) { return complex<T>(-z.real(), -z.imag()); }
template <typename A, typename B> __CUDAIR_HD bool operator==(const complex<A>& x, const complex<B>& y) {
    return x.real() == y.real() && x.imag() == y.imag();
}
template <typename A, typename B, typename = detail::if_number<B>> __CUDAIR_HD bool operator==(const complex<A>& x, const B& y) {
    return x.real() == y && x.imag() == A();
}
template <typename A, typename B, typename = detail::if_number<A>> __CUDAIR_HD bool operator==(const A& x, const complex<B>& y) { return y == x; }
template <typename A, typename B> __CUDAIR_HD bool operator!=(const complex<A>& x, const complex<B>& y) { return !(x == y); }
template <typename A, typename B, typename = detail::if_number<B>> __CUDAIR_HD bool operator!=(const complex<A>& x, const B& y) { return !(x == y); }
template <typename A, typename B, typename = detail::if_number<A>> __CUDAIR_HD bool operator!=(const A& x, const complex<B>& y) { return !(x == y); }

template <typename T> __CUDAIR_HD T abs(const complex<T>& z) { return __cudair_complex::f_hypot(z.real(), z.imag()); }
template <typename T> __CUDAIR_HD T arg(const complex<T>& z) { return __cudair_complex::f_atan2(z.imag(), z.real()); }
template <typename T> __CUDAIR_HD T norm(const complex<T>& z) { return z.real() * z.real() + z.imag() * z.imag(); }
template <typename T> __CUDAIR_HD complex<T> conj(const complex<T>& z) { return complex<T>(z.real(), -z.imag()); }
template <typename A, typename B> __CUDAIR_HD detail::joint<A, B> polar(const A& m, const B& theta) {
    return detail::joint<A, B>(m * ::cos(theta), m * ::sin(theta));
}
template <typename T> __CUDAIR_HD complex<T> polar(const T& m) { return complex<T>(m, T()); }

#define __CUDAIR_FUNCTION(name)                                                                                         \
    template <typename T> __CUDAIR_HD complex<T> name(const complex<T>& z) { return __cudair_complex::name(z.real(), z.imag()); }
__CUDAIR_FUNCTION(proj)
__CUDAIR_FUNCTION(exp)
__CUDAIR_FUNCTION(log)
__CUDAIR_FUNCTION(sqrt)
__CUDAIR_FUNCTION(sin)
__CUDAIR_FUNCTION(cos)
__CUDAIR_FUNCTION(tan)
__CUDAIR_FUNCTION(sinh)
__CUDAIR_FUNCTION(cosh)
__CUDAIR_FUNCTION(tanh)
__CUDAIR_FUNCTION(asin)
__CUDAIR_FUNCTION(acos)
__CUDAIR_FUNCTION(atan)
__CUDAIR_FUNCTION(asinh)
__CUDAIR_FUNCTION(acosh)
__CUDAIR_FUNCTION(atanh)
#undef __CUDAIR_FUNCTION
template <typename T> __CUDAIR_HD complex<T> log10(const complex<T>& z) { return thrust::log(z) / T(2.302585092994045684017991454684364207601L); }
template <typename A, typename B> __CUDAIR_HD detail::joint<A, B> pow(const complex<A>& x, const complex<B>& y) {
    return thrust::exp(thrust::log(detail::joint<A, B>(x)) * detail::joint<A, B>(y));
}
template <typename A, typename B, typename = detail::if_number<B>> __CUDAIR_HD detail::joint<A, B> pow(const complex<A>& x, const B& y) {
    return thrust::exp(thrust::log(detail::joint<A, B>(x)) * typename detail::joint<A, B>::value_type(y));
}
template <typename A, typename B, typename = detail::if_number<A>> __CUDAIR_HD detail::joint<A, B> pow(const A& x, const complex<B>& y) {
    return thrust::exp(thrust::log(detail::joint<A, B>(x)) * detail::joint<A, B>(y));
}
template <typename C, typename Traits, typename T>
std::basic_ostream<C, Traits>& operator<<(std::basic_ostream<C, Traits>& out, const complex<T>& z) {
    return out << '(' << z.real() << ',' << z.imag() << ')';
}

}

#endif
