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
constexpr int k = through(3); //[constant]~ DIAGNOSTIC unsupported: the constant `k`, whose value hangs on
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
