// any, charconv, string_view, iterators, manipulators, times, variant, optional, limits.
#include <iostream>
#include <iomanip>
#include <sstream>
#include <ctime>
#include <any>
#include <charconv>
#include <string_view>
#include <iterator>
#include <optional>
#include <variant>
#include <algorithm>
#include <vector>
#include <list>
#include <map>
#include <locale>
#include <memory>
#include <typeinfo>
#include <typeindex>
#include <limits>
#include <cstring>
#include <bitset>
#include <valarray>
#include <ratio>
#include <chrono>
#include <scoped_allocator>
#include <codecvt>
int main() {
    std::tm tm{};
    std::istringstream in("2024-03-15 13:45:10");
    in >> std::get_time(&tm, "%Y-%m-%d %H:%M:%S");
    std::cout << tm.tm_year << " " << tm.tm_mon << " " << tm.tm_mday << " " << tm.tm_hour << (in.fail() ? " fail" : " ok") << "\n";
    std::cout << std::put_time(&tm, "%d/%m/%y %H-%M") << "\n";
    std::any a = 5;
    std::cout << std::any_cast<int>(a) << a.has_value() << "\n";
    a = std::string("str");
    std::cout << std::any_cast<std::string&>(a) << (a.type() == typeid(std::string)) << "\n";
    try {
        std::any_cast<double>(a);
    } catch (const std::bad_any_cast& e) {
        std::cout << e.what() << "\n";
    }
    std::cout << (std::any_cast<int>(&a) == nullptr) << "\n";
    a.reset();
    std::cout << a.has_value() << "\n";
    char buf[64];
    auto r = std::to_chars(buf, buf + 64, 12345);
    std::cout << std::string_view(buf, r.ptr - buf) << "\n";
    r = std::to_chars(buf, buf + 64, 255, 16);
    *r.ptr = 0;
    std::cout << buf << "\n";
    r = std::to_chars(buf, buf + 64, 3.25);
    *r.ptr = 0;
    std::cout << buf << "\n";
    r = std::to_chars(buf, buf + 64, 0.1f);
    *r.ptr = 0;
    std::cout << buf << "\n";
    r = std::to_chars(buf, buf + 64, 1e100);
    *r.ptr = 0;
    std::cout << buf << "\n";
    r = std::to_chars(buf, buf + 64, 3.14159, std::chars_format::fixed, 2);
    *r.ptr = 0;
    std::cout << buf << "\n";
    int v = 0;
    std::string_view sv = "42abc";
    auto fr = std::from_chars(sv.data(), sv.data() + sv.size(), v);
    std::cout << v << " " << *fr.ptr << (fr.ec == std::errc()) << "\n";
    double d = 0;
    std::string_view dv = "2.5e3";
    std::from_chars(dv.data(), dv.data() + dv.size(), d);
    std::cout << d << "\n";
    auto bad = std::from_chars("x", "x" + 1, v);
    std::cout << (bad.ec == std::errc::invalid_argument) << "\n";
    std::cout << std::to_string(3.5) << " " << std::to_string(-7L) << " " << std::to_string(18446744073709551615ull) << " " << std::stoi("  42xyz") << " " << std::stod("1e3") << " " << std::stoul("ff", nullptr, 16) << "\n";
    try {
        std::stoi("abc");
    } catch (const std::invalid_argument& e) {
        std::cout << e.what() << "\n";
    }
    try {
        std::stoi("99999999999");
    } catch (const std::out_of_range& e) {
        std::cout << e.what() << "\n";
    }
    std::string_view s = "hello world";
    std::cout << s.substr(6) << s.find("wor") << s.rfind('o') << (s.compare("hello") > 0) << s.front() << s.back() << "\n";
    s.remove_prefix(6);
    std::cout << s << s.size() << "\n";
    using namespace std::string_view_literals;
    using namespace std::string_literals;
    std::cout << "lit"sv << "str"s + "x" << "\n";
    std::vector<int> vec{1, 2, 3};
    std::copy(vec.begin(), vec.end(), std::ostream_iterator<int>(std::cout, ","));
    std::cout << "\n";
    std::istringstream nums("4 5 6");
    std::vector<int> got{std::istream_iterator<int>(nums), {}};
    std::cout << got.size() << "\n";
    std::copy(got.begin(), got.end(), std::back_inserter(vec));
    std::list<int> l;
    std::copy(vec.begin(), vec.end(), std::front_inserter(l));
    std::cout << l.front() << *std::next(l.begin()) << std::distance(l.begin(), l.end()) << "\n";
    std::move(vec.begin(), vec.begin() + 2, std::inserter(l, l.begin()));
    std::cout << l.size() << *std::prev(l.end()) << "\n";
    auto mi = std::make_move_iterator(vec.begin());
    std::cout << *mi << *std::make_reverse_iterator(vec.end()) << "\n";
    std::cout << std::setw(8) << std::setfill('*') << 42 << std::left << std::setw(6) << "ab" << std::right << std::hex << std::showbase << 255 << std::dec << std::noshowbase << std::setprecision(3) << 3.14159 << std::fixed << 2.0 << std::scientific << 12345.678 << std::defaultfloat << std::boolalpha << true << std::noboolalpha << std::showpos << 5 << std::noshowpos << "\n";
    std::cout << std::quoted("a \"q\"") << std::uppercase << std::hex << 0xabc << std::nouppercase << std::dec << std::endl;
    std::cout << std::internal << std::setw(8) << -42 << std::setfill(' ') << "\n";
    std::variant<int, double, std::string> var = "s";
    std::cout << var.index() << std::get<2>(var) << std::holds_alternative<int>(var) << "\n";
    var = 2.5;
    std::visit([](auto&& x) { std::cout << x << "\n"; }, var);
    try {
        std::get<int>(var);
    } catch (const std::bad_variant_access& e) {
        std::cout << e.what() << "\n";
    }
    std::optional<int> o;
    std::cout << o.value_or(9) << o.has_value() << "\n";
    try {
        o.value();
    } catch (const std::bad_optional_access& e) {
        std::cout << e.what() << "\n";
    }
    std::cout << std::numeric_limits<int>::max() << " " << std::numeric_limits<double>::epsilon() << " " << std::numeric_limits<float>::lowest() << "\n";
    std::map<std::type_index, int> ti;
    ti[typeid(int)] = 1;
    ti[typeid(double)] = 2;
    std::cout << ti[typeid(int)] + ti[std::type_index(typeid(double))] << "\n";
    std::bitset<10> bs("1011");
    std::cout << bs << bs.count() << bs.to_ulong() << (bs << 2) << "\n";
    std::valarray<double> va{1, 2, 3};
    va *= 2;
    std::cout << va.sum() << " " << (va + 1.0)[1] << va.max() << "\n";
    std::locale loc;
    std::cout << std::isalpha('a', loc) << std::toupper('b', loc) << "\n";
    std::stringstream ss;
    ss.imbue(std::locale::classic());
    ss << 1234567;
    std::cout << ss.str() << "\n";
}
