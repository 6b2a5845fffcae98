// `if consteval` at run time, and the constants whose value hangs on it, which nothing shows.
// flags: -std=c++23
// revisions: constant runs
#include <cstdio>

constexpr int f()
{
    if consteval {
        return 1;
    } else {
        return 2;
    }
}

constexpr int g()
{
    if !consteval {
        return 1;
    }
    return 2;
}

#ifdef REV_constant
constexpr int through(int x) { return f() + x; }
constexpr int k = through(3); //[constant]~ DIAGNOSTIC unsupported: the constant `k`, whose value depends on
constexpr int in_brackets = (through)(3); //[constant]~ DIAGNOSTIC unsupported: the constant `in_brackets`
constexpr auto address = &f;
constexpr int by_pointer = address(); //[constant]~ DIAGNOSTIC unsupported: the constant `by_pointer`
constexpr int apply(int (*what)()) { return what(); }
constexpr int by_argument = apply(f); //[constant]~ DIAGNOSTIC unsupported: the constant `by_argument`
constexpr auto get() { return f; }
constexpr int by_result = get()(); //[constant]~ DIAGNOSTIC unsupported: the constant `by_result`
constexpr int apart = apply([] { return 4; });
#endif

int main()
{
    volatile int zero = 0;
#ifdef REV_constant
    constexpr int c = f(); //[constant]~ DIAGNOSTIC unsupported: the constant `c`
    std::printf("%d %d\n", c, k);
#endif
    std::printf("%d %d\n", f() + zero, g() + zero);
}
