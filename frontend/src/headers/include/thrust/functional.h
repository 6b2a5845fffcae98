/* Functions of Thrust, and expressions of placeholders. */
#ifndef CUDAIR_THRUST_FUNCTIONAL_H
#define CUDAIR_THRUST_FUNCTIONAL_H

#include <thrust/detail/core.h>

namespace thrust {

template <typename Argument, typename Result> struct unary_function {
    typedef Argument argument_type;
    typedef Result result_type;
};
template <typename First, typename Second, typename Result> struct binary_function {
    typedef First first_argument_type;
    typedef Second second_argument_type;
    typedef Result result_type;
};

#define __CUDAIR_BINARY(name, result, expression, ...)                                                                  \
    template <typename T = void> struct name {                                                                          \
        typedef T first_argument_type;                                                                                  \
        typedef T second_argument_type;                                                                                 \
        typedef result result_type;                                                                                     \
        __VA_ARGS__                                                                                                     \
        __host__ __device__ constexpr result operator()(const T& x, const T& y) const { return expression; }           \
    };                                                                                                                  \
    template <> struct name<void> {                                                                                     \
        typedef void is_transparent;                                                                                    \
        __VA_ARGS__                                                                                                     \
        template <typename A, typename B>                                                                               \
        __host__ __device__ constexpr auto operator()(const A& x, const B& y) const -> decltype(expression) {          \
            return expression;                                                                                          \
        }                                                                                                               \
    };
#define __CUDAIR_UNARY(name, result, expression)                                                                        \
    template <typename T = void> struct name {                                                                          \
        typedef T argument_type;                                                                                        \
        typedef result result_type;                                                                                     \
        __host__ __device__ constexpr result operator()(const T& x) const { return expression; }                       \
    };                                                                                                                  \
    template <> struct name<void> {                                                                                     \
        typedef void is_transparent;                                                                                    \
        template <typename A> __host__ __device__ constexpr auto operator()(const A& x) const -> decltype(expression) { \
            return expression;                                                                                          \
        }                                                                                                               \
    };
__CUDAIR_BINARY(plus, T, x + y)
__CUDAIR_BINARY(minus, T, x - y)
__CUDAIR_BINARY(multiplies, T, x * y)
__CUDAIR_BINARY(divides, T, x / y)
__CUDAIR_BINARY(modulus, T, x % y)
__CUDAIR_BINARY(bit_and, T, x & y)
__CUDAIR_BINARY(bit_or, T, x | y)
__CUDAIR_BINARY(bit_xor, T, x ^ y)
__CUDAIR_BINARY(equal_to, bool, x == y)
__CUDAIR_BINARY(not_equal_to, bool, x != y)
__CUDAIR_BINARY(greater, bool, x > y, static constexpr int cudair_order = -1;)
__CUDAIR_BINARY(less, bool, x < y, static constexpr int cudair_order = 1;)
__CUDAIR_BINARY(greater_equal, bool, x >= y)
__CUDAIR_BINARY(less_equal, bool, x <= y)
__CUDAIR_BINARY(logical_and, bool, x && y)
__CUDAIR_BINARY(logical_or, bool, x || y)
__CUDAIR_BINARY(maximum, T, x < y ? y : x)
__CUDAIR_BINARY(minimum, T, x < y ? x : y)
__CUDAIR_UNARY(negate, T, -x)
__CUDAIR_UNARY(bit_not, T, ~x)
__CUDAIR_UNARY(logical_not, bool, !x)
__CUDAIR_UNARY(square, T, x * x)
#undef __CUDAIR_BINARY
#undef __CUDAIR_UNARY

template <typename T = void> struct identity {
    typedef T argument_type;
    typedef T result_type;
    __host__ __device__ constexpr const T& operator()(const T& x) const { return x; }
};
template <> struct identity<void> {
    typedef void is_transparent;
    template <typename T> __host__ __device__ constexpr T&& operator()(T&& x) const { return static_cast<T&&>(x); }
};
template <typename A = void, typename B = void> struct project1st {
    __host__ __device__ constexpr const A& operator()(const A& x, const B&) const { return x; }
};
template <> struct project1st<void, void> {
    template <typename A, typename B> __host__ __device__ constexpr A&& operator()(A&& x, B&&) const { return static_cast<A&&>(x); }
};
template <typename A = void, typename B = void> struct project2nd {
    __host__ __device__ constexpr const B& operator()(const A&, const B& y) const { return y; }
};
template <> struct project2nd<void, void> {
    template <typename A, typename B> __host__ __device__ constexpr B&& operator()(A&&, B&& y) const { return static_cast<B&&>(y); }
};

template <typename P> struct unary_negate {
    P pred;
    explicit __host__ __device__ unary_negate(P p) : pred(p) {}
    template <typename T> __host__ __device__ bool operator()(const T& x) const { return !pred(x); }
};
template <typename P> __CUDAIR_HD unary_negate<P> not1(const P& p) { return unary_negate<P>(p); }
template <typename P> struct binary_negate {
    P pred;
    explicit __host__ __device__ binary_negate(P p) : pred(p) {}
    template <typename A, typename B> __host__ __device__ bool operator()(const A& x, const B& y) const { return !pred(x, y); }
};
template <typename P> __CUDAIR_HD binary_negate<P> not2(const P& p) { return binary_negate<P>(p); }
namespace detail {
template <typename F> struct not_fn_t {
    mutable F f;
    template <typename... A> __host__ __device__ bool operator()(A&&... a) const { return !f(std::forward<A>(a)...); }
};
}
template <typename F> __CUDAIR_HD detail::not_fn_t<typename std::decay<F>::type> not_fn(F&& f) { return {std::forward<F>(f)}; }

/* Expressions. */
namespace detail {

template <typename E> struct actor : E {
    __host__ __device__ constexpr actor() : E() {}
    __host__ __device__ constexpr actor(const E& e) : E(e) {}
    template <typename... A> __host__ __device__ auto operator()(A&&... a) const -> decltype(std::declval<const E&>().eval(a...)) {
        return E::eval(a...);
    }
    template <typename Other> __host__ __device__ auto operator=(const Other& other) const;
};
template <size_t I> struct argument {
    template <typename A, typename... Rest> __host__ __device__ static decltype(auto) pick(A& a, Rest&... rest) {
        if constexpr (I == 0) return (a);
        else return argument<I - 1>::pick(rest...);
    }
    template <typename... A> __host__ __device__ decltype(auto) eval(A&... a) const { return pick(a...); }
};
template <typename T> struct literal {
    T value;
    template <typename... A> __host__ __device__ T eval(A&...) const { return value; }
};
template <typename Op, typename X> struct unary_expression {
    X x;
    template <typename... A> __host__ __device__ auto eval(A&... a) const -> decltype(Op::apply(x.eval(a...))) { return Op::apply(x.eval(a...)); }
};
template <typename Op, typename X, typename Y> struct binary_expression {
    X x;
    Y y;
    template <typename... A> __host__ __device__ auto eval(A&... a) const -> decltype(Op::apply(x.eval(a...), y.eval(a...))) {
        return Op::apply(x.eval(a...), y.eval(a...));
    }
};
template <typename T> struct expression_of {
    typedef literal<T> type;
    __host__ __device__ static type make(const T& v) { return type{v}; }
};
template <typename E> struct expression_of<actor<E>> {
    typedef E type;
    __host__ __device__ static const type& make(const actor<E>& a) { return a; }
};

#define __CUDAIR_OPERATOR(name, op)                                                                                     \
    struct name##_op {                                                                                                  \
        template <typename X, typename Y>                                                                               \
        __host__ __device__ static auto apply(X&& x, Y&& y) -> decltype(x op y) {                                       \
            return x op y;                                                                                              \
        }                                                                                                               \
    };                                                                                                                  \
    template <typename E, typename T>                                                                                   \
    __CUDAIR_HD actor<binary_expression<name##_op, E, typename expression_of<T>::type>> operator op(const actor<E>& a,  \
                                                                                                    const T& b) {       \
        return binary_expression<name##_op, E, typename expression_of<T>::type>{a, expression_of<T>::make(b)};          \
    }                                                                                                                   \
    template <typename T, typename E>                                                                                   \
    __CUDAIR_HD actor<binary_expression<name##_op, literal<T>, E>> operator op(const T& a, const actor<E>& b) {         \
        return binary_expression<name##_op, literal<T>, E>{literal<T>{a}, b};                                           \
    }                                                                                                                   \
    template <typename D, typename E>                                                                                   \
    __CUDAIR_HD actor<binary_expression<name##_op, D, E>> operator op(const actor<D>& a, const actor<E>& b) {           \
        return binary_expression<name##_op, D, E>{a, b};                                                                \
    }
__CUDAIR_OPERATOR(add, +)
__CUDAIR_OPERATOR(subtract, -)
__CUDAIR_OPERATOR(multiply, *)
__CUDAIR_OPERATOR(divide, /)
__CUDAIR_OPERATOR(remainder, %)
__CUDAIR_OPERATOR(bits_and, &)
__CUDAIR_OPERATOR(bits_or, |)
__CUDAIR_OPERATOR(bits_xor, ^)
__CUDAIR_OPERATOR(shift_left, <<)
__CUDAIR_OPERATOR(shift_right, >>)
__CUDAIR_OPERATOR(both, &&)
__CUDAIR_OPERATOR(either, ||)
__CUDAIR_OPERATOR(same, ==)
__CUDAIR_OPERATOR(differ, !=)
__CUDAIR_OPERATOR(below, <)
__CUDAIR_OPERATOR(above, >)
__CUDAIR_OPERATOR(at_most, <=)
__CUDAIR_OPERATOR(at_least, >=)
#undef __CUDAIR_OPERATOR
/* Of a literal on the left there is no assignment. */
#define __CUDAIR_OPERATOR(name, op)                                                                                     \
    struct name##_op {                                                                                                  \
        template <typename X, typename Y>                                                                               \
        __host__ __device__ static decltype(auto) apply(X&& x, Y&& y) {                                                 \
            return (x op y);                                                                                            \
        }                                                                                                               \
    };                                                                                                                  \
    template <typename E, typename T>                                                                                   \
    __CUDAIR_HD actor<binary_expression<name##_op, E, typename expression_of<T>::type>> operator op(const actor<E>& a,  \
                                                                                                    const T& b) {       \
        return binary_expression<name##_op, E, typename expression_of<T>::type>{a, expression_of<T>::make(b)};          \
    }
__CUDAIR_OPERATOR(add_to, +=)
__CUDAIR_OPERATOR(subtract_from, -=)
__CUDAIR_OPERATOR(multiply_by, *=)
__CUDAIR_OPERATOR(divide_by, /=)
__CUDAIR_OPERATOR(reduce_by, %=)
__CUDAIR_OPERATOR(and_with, &=)
__CUDAIR_OPERATOR(or_with, |=)
__CUDAIR_OPERATOR(xor_with, ^=)
#undef __CUDAIR_OPERATOR
struct set_op {
    template <typename X, typename Y> __host__ __device__ static decltype(auto) apply(X&& x, Y&& y) { return (x = y); }
};
template <typename E> template <typename Other> __host__ __device__ auto actor<E>::operator=(const Other& other) const {
    typedef binary_expression<set_op, E, typename expression_of<Other>::type> Expression;
    return actor<Expression>(Expression{*this, expression_of<Other>::make(other)});
}
#define __CUDAIR_OPERATOR(name, op)                                                                                     \
    struct name##_op {                                                                                                  \
        template <typename X>                                                                                           \
        __host__ __device__ static auto apply(X&& x) -> decltype(op x) {                                                \
            return op x;                                                                                                \
        }                                                                                                               \
    };                                                                                                                  \
    template <typename E> __CUDAIR_HD actor<unary_expression<name##_op, E>> operator op(const actor<E>& a) {            \
        return unary_expression<name##_op, E>{a};                                                                       \
    }
__CUDAIR_OPERATOR(positive, +)
__CUDAIR_OPERATOR(negative, -)
__CUDAIR_OPERATOR(inverse, ~)
__CUDAIR_OPERATOR(opposite, !)
#undef __CUDAIR_OPERATOR

}

namespace placeholders {
static constexpr detail::actor<detail::argument<0>> _1{};
static constexpr detail::actor<detail::argument<1>> _2{};
static constexpr detail::actor<detail::argument<2>> _3{};
static constexpr detail::actor<detail::argument<3>> _4{};
static constexpr detail::actor<detail::argument<4>> _5{};
static constexpr detail::actor<detail::argument<5>> _6{};
static constexpr detail::actor<detail::argument<6>> _7{};
static constexpr detail::actor<detail::argument<7>> _8{};
static constexpr detail::actor<detail::argument<8>> _9{};
static constexpr detail::actor<detail::argument<9>> _10{};
}

}

#endif
