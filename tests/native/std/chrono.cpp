// Clocks, durations, time points, calendars of the C library.
#include <chrono>
#include <ctime>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>

int main()
{
    using namespace std::chrono;
    auto start = high_resolution_clock::now();
    double x = 0;
    for (int i = 0; i < 1000; i++) x += i;
    auto end = high_resolution_clock::now();
    auto us = duration_cast<microseconds>(end - start).count();
    std::cout << (us >= 0) << (us < 60000000) << ' ' << x << '\n';
    duration<double, std::milli> ms = end - start;
    std::cout << (ms.count() >= 0) << '\n';
    auto wall = system_clock::now();
    std::time_t t = system_clock::to_time_t(wall);
    std::cout << (t > 1600000000) << (system_clock::from_time_t(t) <= wall) << '\n';
    std::time_t fixed = 86400 * 365;
    std::tm* tm = std::gmtime(&fixed);
    std::cout << tm->tm_year + 1900 << ' ' << std::put_time(tm, "%Y-%m-%d %H:%M:%S") << '\n';
    seconds s(90);
    minutes m = duration_cast<minutes>(s);
    auto sum = s + milliseconds(5) - microseconds(5000);
    std::cout << m.count() << ' ' << sum.count() << ' ' << (s == seconds(90)) << ' ' << (s / 4).count() << ' ' << s / milliseconds(7) << ' ' << floor<minutes>(seconds(-1)).count() << ' ' << round<seconds>(milliseconds(1500)).count() << ' ' << abs(seconds(-3)).count() << '\n';
    time_point<steady_clock, seconds> p(seconds(100)), q = p + minutes(2);
    std::cout << (q - p).count() << ' ' << (q > p) << ' ' << q.time_since_epoch().count() << ' ' << duration<double, std::ratio<3600>>(s).count() << std::endl;
}
