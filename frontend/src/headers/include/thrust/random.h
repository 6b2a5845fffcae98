/* Engines and distributions of random numbers, for both sides. Their parameters are those of the C++ standard, but for the seeding of
   ranlux48_base; taus88 is L'Ecuyer's generator of 1996. */
#ifndef CUDAIR_THRUST_RANDOM_H
#define CUDAIR_THRUST_RANDOM_H

#include <cstdint>
#include <thrust/detail/core.h>

namespace thrust {
namespace random {

template <typename UInt, UInt a, UInt c, UInt m> class linear_congruential_engine {
    UInt x;

    __host__ __device__ static UInt times(UInt p, UInt q) {
        if (m == 0) return p * q;
        return UInt((unsigned long long)p * q % m);
    }

public:
    typedef UInt result_type;
    static constexpr UInt multiplier = a, increment = c, modulus = m;
    static constexpr UInt min = c == 0u ? 1u : 0u, max = m - 1u, default_seed = 1u;
    __host__ __device__ explicit linear_congruential_engine(UInt s = default_seed) { seed(s); }
    __host__ __device__ void seed(UInt s = default_seed) {
        x = m == 0 ? s : s % m;
        if ((m == 0 ? c : c % m) == 0 && x == 0) x = 1;
    }
    __host__ __device__ UInt operator()() {
        x = times(a, x);
        if (c != 0) x = m == 0 ? x + c : UInt(((unsigned long long)x + c) % m);
        return x;
    }
    /* By squares of the step, so that a long way is not long. */
    __host__ __device__ void discard(unsigned long long z) {
        UInt factor = a, added = c;
        for (; z > 0; z >>= 1) {
            if (z & 1) {
                x = times(factor, x);
                x = m == 0 ? x + added : UInt(((unsigned long long)x + added) % m);
            }
            const UInt twice = times(added, factor);
            added = m == 0 ? twice + added : UInt(((unsigned long long)twice + added) % m);
            factor = times(factor, factor);
        }
    }
    __host__ __device__ friend bool operator==(const linear_congruential_engine& p, const linear_congruential_engine& q) { return p.x == q.x; }
    __host__ __device__ friend bool operator!=(const linear_congruential_engine& p, const linear_congruential_engine& q) { return p.x != q.x; }
    template <typename Stream> friend auto operator<<(Stream& out, const linear_congruential_engine& e) -> decltype(out << e.x) { return out << e.x; }
};
typedef linear_congruential_engine<std::uint32_t, 16807, 0, 2147483647> minstd_rand0;
typedef linear_congruential_engine<std::uint32_t, 48271, 0, 2147483647> minstd_rand;
typedef minstd_rand default_random_engine;

template <typename UInt, size_t w, size_t k, size_t q, size_t s> class linear_feedback_shift_engine {
    UInt x;

public:
    typedef UInt result_type;
    static constexpr size_t word_size = w, exponent1 = k, exponent2 = q, step_size = s;
    static constexpr UInt wordmask = UInt(~UInt(0)) >> (8 * sizeof(UInt) - w);
    static constexpr UInt min = 0, max = wordmask, default_seed = 341u;
    __host__ __device__ explicit linear_feedback_shift_engine(UInt v = default_seed) : x(v) {}
    __host__ __device__ void seed(UInt v = default_seed) { x = v; }
    __host__ __device__ UInt operator()() {
        const UInt bits = (((x << q) ^ x) & wordmask) >> (k - s);
        const UInt high = (UInt(~UInt(0)) << (w - k)) & wordmask;
        return x = ((x & high) << s) ^ bits;
    }
    __host__ __device__ void discard(unsigned long long z) {
        for (; z > 0; z--) (*this)();
    }
    __host__ __device__ friend bool operator==(const linear_feedback_shift_engine& a, const linear_feedback_shift_engine& b) { return a.x == b.x; }
    __host__ __device__ friend bool operator!=(const linear_feedback_shift_engine& a, const linear_feedback_shift_engine& b) { return a.x != b.x; }
};

template <typename A, size_t s1, typename B, size_t s2 = 0u> class xor_combine_engine {
    A first;
    B second;

public:
    typedef A base1_type;
    typedef B base2_type;
    typedef typename std::conditional<(sizeof(typename B::result_type) > sizeof(typename A::result_type)), typename B::result_type,
                                      typename A::result_type>::type result_type;
    static constexpr size_t shift1 = s1, shift2 = s2;
    static constexpr result_type min = 0, max = result_type((result_type(A::max) << s1) | (result_type(B::max) << s2));
    __host__ __device__ xor_combine_engine() {}
    __host__ __device__ xor_combine_engine(const A& a, const B& b) : first(a), second(b) {}
    __host__ __device__ explicit xor_combine_engine(result_type s) { seed(s); }
    __host__ __device__ void seed() {
        first.seed();
        second.seed();
    }
    __host__ __device__ void seed(result_type s) {
        first.seed(s);
        second.seed(s);
    }
    __host__ __device__ const A& base1() const { return first; }
    __host__ __device__ const B& base2() const { return second; }
    __host__ __device__ result_type operator()() { return (result_type(first() - A::min) << s1) ^ (result_type(second() - B::min) << s2); }
    __host__ __device__ void discard(unsigned long long z) {
        for (; z > 0; z--) (*this)();
    }
    __host__ __device__ friend bool operator==(const xor_combine_engine& a, const xor_combine_engine& b) {
        return a.first == b.first && a.second == b.second;
    }
    __host__ __device__ friend bool operator!=(const xor_combine_engine& a, const xor_combine_engine& b) { return !(a == b); }
};
typedef xor_combine_engine<linear_feedback_shift_engine<std::uint32_t, 32u, 31u, 13u, 12u>, 0,
                           xor_combine_engine<linear_feedback_shift_engine<std::uint32_t, 32u, 29u, 2u, 4u>, 0,
                                              linear_feedback_shift_engine<std::uint32_t, 32u, 28u, 3u, 17u>, 0>,
                           0>
    taus88;

template <typename UInt, size_t w, size_t s, size_t r> class subtract_with_carry_engine {
    UInt x[r];
    unsigned k;
    int carry;

public:
    typedef UInt result_type;
    static constexpr size_t word_size = w, short_lag = s, long_lag = r;
    static constexpr UInt min = 0, max = UInt(~UInt(0)) >> (8 * sizeof(UInt) - w), default_seed = 19780503u;
    __host__ __device__ explicit subtract_with_carry_engine(UInt v = default_seed) { seed(v); }
    __host__ __device__ void seed(UInt v = default_seed) {
        linear_congruential_engine<UInt, 40014u, 0u, 2147483563u> e(v == 0u ? default_seed : v);
        for (size_t i = 0; i < r; i++) {
            /* One number for each word, however wide it is: here Thrust is not the standard. */
            x[i] = e() & max;
        }
        carry = x[r - 1] == 0;
        k = 0;
    }
    __host__ __device__ UInt operator()() {
        const unsigned short_place = k < s ? k + unsigned(r - s) : k - unsigned(s);
        const UInt taken = x[k] + carry;
        UInt next;
        if (x[short_place] >= taken) {
            next = x[short_place] - taken;
            carry = 0;
        } else {
            next = x[short_place] - taken + max + 1;
            carry = 1;
        }
        next &= max;
        x[k] = next;
        k = k + 1 < r ? k + 1 : 0;
        return next;
    }
    __host__ __device__ void discard(unsigned long long z) {
        for (; z > 0; z--) (*this)();
    }
};
template <typename Engine, size_t p, size_t r> class discard_block_engine {
    Engine e;
    unsigned n;

public:
    typedef Engine base_type;
    typedef typename Engine::result_type result_type;
    static constexpr size_t block_size = p, used_block = r;
    static constexpr result_type min = Engine::min, max = Engine::max;
    __host__ __device__ discard_block_engine() : n(0) {}
    __host__ __device__ explicit discard_block_engine(result_type s) : e(s), n(0) {}
    __host__ __device__ void seed() {
        e.seed();
        n = 0;
    }
    __host__ __device__ void seed(result_type s) {
        e.seed(s);
        n = 0;
    }
    __host__ __device__ const Engine& base() const { return e; }
    __host__ __device__ result_type operator()() {
        if (n >= r) {
            e.discard(p - r);
            n = 0;
        }
        n++;
        return e();
    }
    __host__ __device__ void discard(unsigned long long z) {
        for (; z > 0; z--) (*this)();
    }
};
typedef subtract_with_carry_engine<std::uint32_t, 24, 10, 24> ranlux24_base;
typedef subtract_with_carry_engine<std::uint64_t, 48, 5, 12> ranlux48_base;
typedef discard_block_engine<ranlux24_base, 223, 23> ranlux24;
typedef discard_block_engine<ranlux48_base, 389, 11> ranlux48;

namespace detail {
/* The ends of an engine's range are members here and functions in the standard's. */
template <typename E, typename = void> struct range_of {
    __host__ __device__ static constexpr typename E::result_type low() { return E::min; }
    __host__ __device__ static constexpr typename E::result_type high() { return E::max; }
};
template <typename E> struct range_of<E, thrust::detail::void_t<decltype(E::min())>> {
    __host__ __device__ static constexpr typename E::result_type low() { return E::min(); }
    __host__ __device__ static constexpr typename E::result_type high() { return E::max(); }
};

template <typename T> class two_parameters {
protected:
    T p, q;

public:
    typedef T result_type;
    typedef thrust::pair<T, T> param_type;
    __host__ __device__ two_parameters(T x, T y) : p(x), q(y) {}
    __host__ __device__ void reset() {}
    __host__ __device__ param_type param() const { return param_type(p, q); }
    __host__ __device__ void param(const param_type& pair) {
        p = pair.first;
        q = pair.second;
    }
    __host__ __device__ friend bool operator==(const two_parameters& a, const two_parameters& b) { return a.p == b.p && a.q == b.q; }
    __host__ __device__ friend bool operator!=(const two_parameters& a, const two_parameters& b) { return !(a == b); }
};
template <typename T, typename E> __host__ __device__ T uniform(E& engine, T a, T b) {
    typedef range_of<E> Range;
    T x = static_cast<T>(engine() - Range::low());
    x /= T(1) + static_cast<T>(Range::high() - Range::low());
    return x * (b - a) + a;
}
__host__ __device__ inline float inverse_of_erfc(float x) { return erfcinvf(x); }
__host__ __device__ inline double inverse_of_erfc(double x) { return erfcinv(x); }
}

template <typename T = double> class uniform_real_distribution : public detail::two_parameters<T> {
    typedef detail::two_parameters<T> Base;

public:
    typedef typename Base::param_type param_type;
    __host__ __device__ explicit uniform_real_distribution(T a = T(0), T b = T(1)) : Base(a, b) {}
    __host__ __device__ explicit uniform_real_distribution(const param_type& parm) : Base(parm.first, parm.second) {}
    template <typename E> __host__ __device__ T operator()(E& engine) { return detail::uniform<T>(engine, this->p, this->q); }
    template <typename E> __host__ __device__ T operator()(E& engine, const param_type& parm) {
        return detail::uniform<T>(engine, parm.first, parm.second);
    }
    __host__ __device__ T a() const { return this->p; }
    __host__ __device__ T b() const { return this->q; }
    __host__ __device__ T min() const { return this->p; }
    __host__ __device__ T max() const { return this->q; }
};
template <typename T = int> class uniform_int_distribution : public detail::two_parameters<T> {
    typedef detail::two_parameters<T> Base;

public:
    typedef typename Base::param_type param_type;
    __host__ __device__ explicit uniform_int_distribution(T a = T(0), T b = T(size_t(-1) >> (64 - 8 * sizeof(T) + std::is_signed<T>::value)))
        : Base(a, b) {}
    __host__ __device__ explicit uniform_int_distribution(const param_type& parm) : Base(parm.first, parm.second) {}
    template <typename E> __host__ __device__ T operator()(E& engine) { return (*this)(engine, this->param()); }
    template <typename E> __host__ __device__ T operator()(E& engine, const param_type& parm) {
        return static_cast<T>(detail::uniform<double>(engine, static_cast<double>(parm.first), static_cast<double>(parm.second) + 1.0));
    }
    __host__ __device__ T a() const { return this->p; }
    __host__ __device__ T b() const { return this->q; }
    __host__ __device__ T min() const { return this->p; }
    __host__ __device__ T max() const { return this->q; }
};
template <typename T = double> class normal_distribution : public detail::two_parameters<T> {
    typedef detail::two_parameters<T> Base;

public:
    typedef typename Base::param_type param_type;
    __host__ __device__ explicit normal_distribution(T mean = T(0), T stddev = T(1)) : Base(mean, stddev) {}
    __host__ __device__ explicit normal_distribution(const param_type& parm) : Base(parm.first, parm.second) {}
    template <typename E> __host__ __device__ T operator()(E& engine) { return (*this)(engine, this->param()); }
    /* By the inverse of the distribution, in the half in which that is precise. */
    template <typename E> __host__ __device__ T operator()(E& engine, const param_type& parm) {
        typedef detail::range_of<E> Range;
        typedef typename E::result_type UInt;
        constexpr UInt range = Range::high() - Range::low();
        constexpr T scale = static_cast<T>(1. / static_cast<double>(range));
        constexpr T half = scale / 2;
        T root = T(-1.4142135623730950488016887242097L);
        UInt u = engine() - Range::low();
        if (u > range / 2) {
            u = range - u;
            root = -root;
        }
        const T p = u * scale + half;
        return parm.first + parm.second * root * detail::inverse_of_erfc(2 * p);
    }
    __host__ __device__ T mean() const { return this->p; }
    __host__ __device__ T stddev() const { return this->q; }
};

}

using random::linear_congruential_engine;
using random::minstd_rand0;
using random::minstd_rand;
using random::default_random_engine;
using random::linear_feedback_shift_engine;
using random::xor_combine_engine;
using random::taus88;
using random::subtract_with_carry_engine;
using random::discard_block_engine;
using random::ranlux24_base;
using random::ranlux48_base;
using random::ranlux24;
using random::ranlux48;
using random::uniform_real_distribution;
using random::uniform_int_distribution;
using random::normal_distribution;

}

#endif
