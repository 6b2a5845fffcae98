// <random>: engines and distributions draw the same numbers everywhere.
#include <iostream>
#include <map>
#include <random>
#include <vector>

int main()
{
    std::mt19937 a(1234);
    std::mt19937_64 b(99);
    std::minstd_rand c;
    std::default_random_engine e(7);
    std::ranlux24_base r(3);
    for (int i = 0; i < 5; i++) std::cout << a() << ' ' << b() << ' ' << c() << ' ' << e() << ' ' << r() << '\n';
    std::uniform_int_distribution<int> die(1, 6);
    std::uniform_real_distribution<double> unit(0, 1);
    std::normal_distribution<double> normal(10, 2);
    std::bernoulli_distribution coin(0.3);
    std::exponential_distribution<float> waits(1.5f);
    std::poisson_distribution<int> events(4);
    std::discrete_distribution<int> weighted{1, 2, 5};
    std::geometric_distribution<int> tries(0.4);
    std::map<int, int> histogram;
    for (int i = 0; i < 200; i++) histogram[die(a)]++;
    for (auto& [k, v] : histogram) std::cout << k << ':' << v << ' ';
    std::cout << '\n';
    for (int i = 0; i < 6; i++)
        std::cout << unit(a) << ' ' << normal(b) << ' ' << coin(a) << ' ' << waits(c) << ' ' << events(a) << ' ' << weighted(b) << ' ' << tries(a) << '\n';
    std::seed_seq seq{1, 2, 3};
    std::mt19937 s(seq);
    a.discard(10);
    std::cout << s() << ' ' << a() << ' ' << (a == s) << ' ' << std::mt19937::max() << ' ' << die.max() << std::endl;
}
