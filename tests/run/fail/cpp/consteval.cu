// `if consteval` and `std::is_constant_evaluated` at run time, and the constants whose value hangs on them, which nothing
// shows.
// flags: -std=c++23
// revisions: constant alone asked called runs
#include <cstdio>
#include <type_traits>

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

// Functions that only constants call.
#ifdef REV_alone
constexpr int lonely()
{
    if consteval {
        return 1;
    } else {
        return 2;
    }
}
constexpr int alone = lonely(); //[alone]~ DIAGNOSTIC unsupported: the constant `alone`, whose value depends on
#endif

#ifdef REV_asked
constexpr int mode(int x) { return std::is_constant_evaluated() ? x : -x; }
constexpr int built(int x) { return __builtin_is_constant_evaluated() ? x : -x; }
constexpr int asked = mode(4); //[asked]~ DIAGNOSTIC unsupported: the constant `asked`, whose value depends on
const int constant = mode(5); //[asked]~ DIAGNOSTIC unsupported: the constant `constant`
int variable = built(6); //[asked]~ DIAGNOSTIC unsupported: the constant `variable`
struct Member {
    static constexpr int value = mode(7); //[asked]~ DIAGNOSTIC unsupported: the constant `value`
};
constexpr int values[] = {1, built(2)}; //[asked]~ DIAGNOSTIC unsupported: the constant `values`
#endif

#ifdef REV_called
consteval int only(int x) //[called]~ DIAGNOSTIC unsupported: the consteval function `only`, whose value depends on
{
    return std::is_constant_evaluated() ? x : -x;
}
consteval int plain(int x) { return x + 1; }
#endif

#ifdef REV_runs
// What asks and is called at run time, and constants that do not ask.
constexpr int mode(int x) { return std::is_constant_evaluated() ? x : -x; }
consteval int plain(int x) { return x + 1; }
constexpr int constant = plain(3);
enum { entry = mode(2) };
#endif

int main()
{
    volatile int zero = 0;
#ifdef REV_alone
    std::printf("%d\n", alone);
#endif
#ifdef REV_asked
    static int kept = mode(3); //[asked]~ DIAGNOSTIC unsupported: the constant `kept`
    std::printf("%d %d %d %d %d %d\n", asked, constant, variable, kept, Member::value, values[1]);
#endif
#ifdef REV_called
    std::printf("%d %d\n", only(3), plain(3));
#endif
#ifdef REV_runs
    const int at_run_time = mode(4 + zero);
    int array[mode(3)] = {};
    std::printf("%d %d %d %zu\n", at_run_time, constant, entry, sizeof array / sizeof *array);
#endif
#ifdef REV_constant
    constexpr int c = f(); //[constant]~ DIAGNOSTIC unsupported: the constant `c`
    std::printf("%d %d\n", c, k);
#endif
    std::printf("%d %d\n", f() + zero, g() + zero);
}
