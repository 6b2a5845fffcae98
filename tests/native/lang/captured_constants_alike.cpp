// Lambdas that name several constants of one type, of which they capture some.
#include <cstdio>
template <class F> static int bench(int n, F f) { return n + f; }
template <class T> static const T &same(const T &t) { return t; }
struct Size { int n; };

int main()
{
    constexpr int width = 8, turns = 5;
    const int third = 3;
    int variable = 100;
    auto by_reference = [&](auto x) { int e = width; return e * 10 + bench(turns, x); };
    auto by_copy = [=](auto x) { int e = width; return e * 10 + bench(turns, x) + third; };
    auto all = [&](auto x) { return bench(width, x) * bench(turns, x) * bench(third, x) + variable; };
    auto one = [=](auto x) { return bench(third, x) + width * turns + variable; };
    std::printf("%d %d %d %d\n", by_reference(1), by_copy(2), all(3), one(4));
    auto addresses = [&](auto x) { return same(width) + bench(turns, x) + (third > 2 ? third : 0); };
    std::printf("%d\n", addresses(6));
    constexpr long first = 11, second = 22;
    constexpr Size big{7}, small{2};
    auto mixed = [=](auto x) { return first + bench(static_cast<int>(second), x) + big.n * small.n + same(big).n; };
    std::printf("%ld\n", static_cast<long>(mixed(8)));
    auto nested = [&](auto x) {
        auto inner = [&](auto y) { return bench(width, y) - turns; };
        return inner(x) + third;
    };
    std::printf("%d\n", nested(9));
}
