// Constants of 128 bits in C++: `constexpr`, members, templates, default arguments, captures.
#include <cstdio>
using wide = __int128;
using uwide = unsigned __int128;
static void show(uwide v) { std::printf("%016llx%016llx\n", (unsigned long long)(v >> 64), (unsigned long long)v); }

constexpr wide big = (wide)1 << 100;
constexpr uwide all = ~(uwide)0;
constexpr wide table[] = {big, big + 1, -big};
struct Holder {
    static constexpr wide value = (wide)5 << 70;
    wide member = (wide)6 << 71;
};
template <class T> constexpr T of = (T)7 << 72;
static int taking(wide x = (wide)8 << 73) { show(x); return 1; }
constexpr wide power(int n) { wide r = 1; while (n--) r *= 2; return r; }
constexpr wide computed = power(99);
wide dynamic = power(98) + big;
static const uwide constant = all - 1;
enum class Small : int { one = (int)(big >> 100) };

int main()
{
    constexpr wide local = big << 3;
    const wide constant_local = big >> 3;
    static wide kept = big * 5;
    auto lambda = [=] { return local + constant_local; };
    auto init = [x = big | 3] { return x; };
    const uwide each[] = {(uwide)big, all, (uwide)table[0], (uwide)table[1], (uwide)table[2], (uwide)Holder::value,
                    (uwide)Holder().member, (uwide)of<wide>, (uwide)of<uwide>, (uwide)computed, (uwide)dynamic, constant,
                    (uwide)local, (uwide)constant_local, (uwide)kept, (uwide)lambda(), (uwide)init()};
    for (uwide v : each)
        show(v);
    taking();
    if constexpr (big > 5) std::puts("big");
    static_assert(table[2] < 0);
    std::printf("%d\n", static_cast<int>(Small::one));
}
