// Numeric algorithms, bit sets, arrays of values, complex functions.
#include <bitset>
#include <complex>
#include <functional>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <numeric>
#include <sstream>
#include <string>
#include <valarray>
#include <vector>

template <typename C> void show(const char *what, const C &c)
{
    std::cout << what << ':';
    for (const auto &x : c) std::cout << ' ' << x;
    std::cout << '\n';
}
int main()
{
    std::vector<int> v(10), out(10);
    std::iota(v.begin(), v.end(), 1);
    std::cout << std::accumulate(v.begin(), v.end(), 0) << ' ' << std::reduce(v.begin(), v.end()) << ' '
              << std::reduce(v.begin(), v.end(), 1L, std::multiplies<>()) << ' '
              << std::transform_reduce(v.begin(), v.end(), 0, std::plus<>(), [](int x) { return x * x; }) << ' '
              << std::transform_reduce(v.begin(), v.end(), v.begin(), 0) << ' '
              << std::inner_product(v.begin(), v.end(), v.rbegin(), 0) << '\n';
    std::partial_sum(v.begin(), v.end(), out.begin());
    show("partial_sum", out);
    std::inclusive_scan(v.begin(), v.end(), out.begin(), std::multiplies<>(), 1);
    show("inclusive_scan", out);
    std::exclusive_scan(v.begin(), v.end(), out.begin(), 100);
    show("exclusive_scan", out);
    std::transform_inclusive_scan(v.begin(), v.end(), out.begin(), std::plus<>(), [](int x) { return -x; });
    show("transform_inclusive_scan", out);
    std::transform_exclusive_scan(v.begin(), v.end(), out.begin(), 0, std::plus<>(), [](int x) { return 2 * x; });
    show("transform_exclusive_scan", out);
    std::adjacent_difference(v.begin(), v.end(), out.begin(), std::plus<>());
    show("adjacent_difference", out);
    std::cout << std::gcd(84, -36) << ' ' << std::lcm(21, 6) << ' ' << std::gcd(0L, 5) << '\n';

    std::bitset<70> b(0xF0F0), c("101");
    b.set(69).flip(0);
    std::cout << b << ' ' << b.count() << b.any() << b.all() << b.none() << b.test(69) << ' ' << (b << 3).count() << (b >> 60) << '\n';
    std::cout << (b & c) << '\n' << (~c).count() << ' ' << c.to_ulong() << ' ' << c.to_string('.', '#').substr(64) << '\n';
    try {
        (void)b.to_ulong();
    } catch (const std::overflow_error &e) {
        std::cout << e.what() << '\n';
    }
    try {
        std::bitset<4> wrong("12");
    } catch (const std::invalid_argument &e) {
        std::cout << e.what() << '\n';
    }
    std::bitset<8> read;
    std::istringstream("11010") >> read;
    std::cout << read << ' ' << std::hash<std::bitset<8>>()(read) % 1 << (read == std::bitset<8>(26)) << '\n';

    std::valarray<double> x{1, 4, 9, 16}, y(2.0, 4);
    std::valarray<double> z = std::sqrt(x) + y * x - 1.0;
    show("valarray", z);
    std::cout << x.sum() << ' ' << x.min() << ' ' << x.max() << ' ' << (x > 5.0)[2] << '\n';
    show("shift", x.shift(1));
    show("cshift", x.cshift(-1));
    show("apply", std::valarray<double>(x.apply([](double d) { return d / 2; })));
    std::valarray<int> grid(12);
    std::iota(std::begin(grid), std::end(grid), 0);
    show("slice", std::valarray<int>(grid[std::slice(1, 4, 3)]));
    grid[std::slice(0, 3, 4)] = -1;
    show("slice_array", grid);
    show("gslice", std::valarray<int>(grid[std::gslice(1, {2, 3}, {6, 1})]));
    grid[grid < 0] = 50;
    show("mask", grid);
    std::valarray<std::size_t> index{3, 1, 2};
    show("indirect", std::valarray<int>(grid[index]));
    x *= y;
    x += 1.0;
    show("compound", x);
    show("pow", std::valarray<double>(std::pow(y, 3.0)));
    grid.resize(2, 9);
    show("resized", grid);

    using C = std::complex<double>;
    C i(0, 1), k(3, -4);
    std::cout << std::setprecision(10) << k + i << k * i << k / i << -k << std::conj(k) << std::norm(k) << std::abs(k) << std::arg(k) << '\n';
    std::cout << std::exp(i) << std::log(k) << std::sqrt(C(-4, 0)) << std::pow(k, 2) << std::pow(k, i) << std::pow(2.0, i) << '\n';
    std::cout << std::sin(k) << std::cos(k) << std::tan(i) << std::sinh(i) << std::cosh(k) << std::tanh(k) << '\n';
    std::cout << std::asin(k) << std::acos(k) << std::atan(k) << std::asinh(k) << std::acosh(k) << std::atanh(k) << '\n';
    std::cout << std::polar(2.0, 1.0) << std::proj(k) << (k == C(3, -4)) << (k != 3.0) << std::real(k) << std::imag(k) << std::log10(k) << '\n';
    using namespace std::complex_literals;
    std::complex<float> fl(1.5f, 2);
    fl *= 2.0f;
    fl -= 1;
    std::cout << (1.0 + 2i) * 3.0 << fl << std::sqrt(fl) << '\n';
    C read1, read2, read3;
    std::istringstream("(1,2) (3) 4") >> read1 >> read2 >> read3;
    std::cout << read1 << read2 << read3 << '\n';
}
