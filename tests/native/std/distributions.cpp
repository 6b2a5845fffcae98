// Every engine and every distribution.
#include <cstdio>
#include <iomanip>
#include <iostream>
#include <random>
#include <sstream>
#include <vector>

template <typename E> void engine(const char *name)
{
    E e;
    auto first = e();
    e.discard(9998);
    std::cout << name << ' ' << first << ' ' << e() << ' ' << E::min() << ' ' << E::max();
    E seeded(42);
    std::seed_seq seq{1, 2, 3};
    E sequenced(seq);
    std::cout << ' ' << seeded() << ' ' << sequenced();
    std::stringstream state;
    state << e;
    E copy;
    state >> copy;
    std::cout << ' ' << (copy == e) << (copy() == e()) << '\n';
}
template <typename D> void draw(const char *name, D d)
{
    std::mt19937 e(7);
    std::cout << name;
    for (int i = 0; i < 5; i++) std::cout << ' ' << d(e);
    std::cout << ' ' << d.min() << ' ' << d.max();
    std::stringstream s;
    s << d;
    D other;
    s >> other;
    d.reset();
    std::cout << ' ' << (d.param() == other.param()) << " [" << d << "]\n";
}
int main()
{
    engine<std::minstd_rand0>("minstd_rand0");
    engine<std::minstd_rand>("minstd_rand");
    engine<std::mt19937>("mt19937");
    engine<std::mt19937_64>("mt19937_64");
    engine<std::ranlux24_base>("ranlux24_base");
    engine<std::ranlux48_base>("ranlux48_base");
    engine<std::ranlux24>("ranlux24");
    engine<std::ranlux48>("ranlux48");
    engine<std::knuth_b>("knuth_b");
    std::independent_bits_engine<std::mt19937, 11, unsigned> bits(3);
    for (int i = 0; i < 5; i++) std::cout << bits() << ' ';
    std::cout << '\n';
    draw("int", std::uniform_int_distribution<int>(-5, 1000));
    draw("long", std::uniform_int_distribution<long long>(0, 1LL << 60));
    draw("short", std::uniform_int_distribution<short>(1, 6));
    draw("real", std::uniform_real_distribution<double>(-1, 1));
    draw("realf", std::uniform_real_distribution<float>(0, 2));
    draw("bernoulli", std::bernoulli_distribution(0.3));
    draw("binomial", std::binomial_distribution<int>(40, 0.25));
    draw("binomial big", std::binomial_distribution<long>(10000, 0.6));
    draw("geometric", std::geometric_distribution<int>(0.1));
    draw("negative", std::negative_binomial_distribution<int>(5, 0.4));
    draw("poisson", std::poisson_distribution<int>(3.5));
    draw("poisson big", std::poisson_distribution<int>(300));
    draw("exponential", std::exponential_distribution<double>(2.5));
    draw("gamma", std::gamma_distribution<double>(0.7, 2));
    draw("gamma big", std::gamma_distribution<double>(9, 0.5));
    draw("weibull", std::weibull_distribution<double>(2, 3));
    draw("extreme", std::extreme_value_distribution<double>(0, 2));
    draw("normal", std::normal_distribution<double>(5, 2));
    draw("normalf", std::normal_distribution<float>(0, 1));
    draw("lognormal", std::lognormal_distribution<double>(1, 0.25));
    draw("chi", std::chi_squared_distribution<double>(4));
    draw("cauchy", std::cauchy_distribution<double>(0, 1));
    draw("fisher", std::fisher_f_distribution<double>(3, 5));
    draw("student", std::student_t_distribution<double>(6));
    draw("discrete", std::discrete_distribution<int>{1, 2, 3, 4});
    double b[] = {0, 1, 3, 8}, w[] = {1, 2, 1};
    draw("constant", std::piecewise_constant_distribution<double>(b, b + 4, w));
    double l[] = {0, 1, 2, 0};
    draw("linear", std::piecewise_linear_distribution<double>(b, b + 4, l));
    std::mt19937_64 g(1);
    std::cout << std::setprecision(17) << std::generate_canonical<double, 53>(g) << ' ' << std::generate_canonical<float, 24>(g) << '\n';
    std::random_device device;
    std::cout << (device.min() == 0) << (device.max() == 0xffffffffu) << '\n';
    std::seed_seq seq{5, 6, 7};
    std::vector<unsigned> out(8);
    seq.generate(out.begin(), out.end());
    for (auto x : out) std::cout << x << ' ';
    std::cout << seq.size() << '\n';
}
