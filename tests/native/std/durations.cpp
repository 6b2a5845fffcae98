// Durations, time points, calendar.
#include <chrono>
#include <ctime>
#include <iomanip>
#include <iostream>
#include <sstream>
int main()
{
    using namespace std::chrono;
    using namespace std::chrono_literals;
    auto d = 3661s + 250ms;
    std::cout << d.count() << ' ' << duration_cast<minutes>(d).count() << ' ' << duration<double>(d).count() << ' ' << duration<double, std::ratio<3600>>(d).count() << '\n';
    std::cout << floor<seconds>(-1500ms).count() << ' ' << ceil<seconds>(1200ms).count() << ' ' << round<seconds>(2500ms).count() << ' ' << abs(-3min).count() << '\n';
    std::cout << (1h > 59min) << (60s == 1min) << (90min % 1h).count() << ' ' << (1h / 7min) << '\n';
    auto t = system_clock::from_time_t(1700000000);
    std::time_t back = system_clock::to_time_t(t + hours(1));
    std::cout << back << ' ' << std::put_time(std::gmtime(&back), "%Y-%m-%d %H:%M:%S %j %a %b") << '\n';
    std::tm tm{};
    std::istringstream("2024-02-29 12:34:56") >> std::get_time(&tm, "%Y-%m-%d %H:%M:%S");
    std::cout << tm.tm_year << ' ' << tm.tm_mon << ' ' << tm.tm_mday << ' ' << tm.tm_sec << '\n';
    auto start = steady_clock::now();
    auto end = steady_clock::now();
    std::cout << (end >= start) << (duration_cast<hours>(end - start).count() == 0) << steady_clock::is_steady << '\n';
    high_resolution_clock::time_point hp{};
    std::cout << hp.time_since_epoch().count() << ' ' << nanoseconds::max().count() << ' ' << (milliseconds::zero() == 0ms) << '\n';
    using days = duration<int, std::ratio<86400>>;
    std::cout << duration_cast<days>(time_point_cast<seconds>(t).time_since_epoch()).count() << '\n';
}
