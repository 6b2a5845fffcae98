// tuple, pair, optional, variant, any, bitset, chrono durations, ratio, limits, initializer lists.
#include <bitset>
#include <chrono>
#include <iostream>
#include <limits>
#include <optional>
#include <ratio>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

std::optional<int> parse(const std::string& s)
{
    int n = 0;
    if (s.empty()) return std::nullopt;
    for (char c : s) {
        if (c < '0' || c > '9') return {};
        n = n * 10 + (c - '0');
    }
    return n;
}
std::tuple<int, std::string, double> record(int i) { return {i, std::string(i, 'r'), i / 4.0}; }
template <class... F>
struct overloaded : F... {
    using F::operator()...;
};
template <class... F>
overloaded(F...) -> overloaded<F...>;
using Value = std::variant<int, double, std::string, std::vector<int>>;
struct Loud {
    std::string s;
    Loud(std::string t) : s(std::move(t)) { std::cout << '+' << s; }
    Loud(const Loud& o) : s(o.s) { std::cout << 'c' << s; }
    Loud(Loud&& o) : s(std::move(o.s)) { std::cout << 'm' << s; }
    Loud& operator=(const Loud& o) { s = o.s; std::cout << "="; return *this; }
    ~Loud() { std::cout << "-" << s; }
};

int main()
{
    for (auto s : {"12", "", "x", "007"}) {
        auto r = parse(s);
        if (r) std::cout << *r << ' ';
        else std::cout << "none ";
        std::cout << r.value_or(-1) << r.has_value() << ' ';
    }
    std::cout << '\n';
    auto [i, s, d] = record(3);
    std::cout << i << s << d << std::get<0>(record(2)) << std::get<std::string>(record(4)) << std::tuple_size_v<decltype(record(1))> << '\n';
    int a;
    std::string b;
    std::tie(a, b, std::ignore) = record(5);
    std::cout << a << b << (std::make_tuple(1, 2) < std::make_tuple(1, 3)) << (record(1) == record(1)) << '\n';
    auto cat = std::tuple_cat(std::make_tuple(1, 'x'), std::make_pair(2.5, std::string("z")));
    std::cout << std::get<3>(cat) << std::get<1>(cat) << std::apply([](auto... x) { return sizeof...(x); }, cat) << '\n';
    std::pair<std::string, int> p{"key", 1}, q = p;
    q.second = 2;
    std::swap(p, q);
    auto& [k, n] = p;
    n += 40;
    std::cout << p.first << p.second << (p > q) << std::get<1>(q) << std::make_pair(1, 2.5).second << k << '\n';
    {
        std::optional<Loud> o;
        o.emplace("a");
        std::optional<Loud> o2 = o;
        o.reset();
        o = std::move(o2);
        std::cout << o->s << o2.has_value() << ' ';
        const std::optional<Loud>& ref = o;
        std::cout << (ref ? ref->s : "no") << (o != std::nullopt) << ' ';
    }
    std::cout << '\n';
    std::vector<Value> values{1, 2.5, "text", std::vector<int>{1, 2, 3}};
    values.push_back(std::string("more"));
    for (auto& v : values) {
        std::visit(overloaded{[](int x) { std::cout << "int " << x; },
                              [](double x) { std::cout << "double " << x; },
                              [](const std::string& x) { std::cout << "string " << x; },
                              [](const std::vector<int>& x) { std::cout << "vector of " << x.size(); }},
                   v);
        std::cout << " at " << v.index() << std::holds_alternative<int>(v) << "; ";
    }
    std::cout << '\n';
    Value v = 7;
    std::cout << std::get<int>(v) << (std::get_if<double>(&v) == nullptr);
    v = "now a string";
    std::cout << std::get<2>(v) << v.valueless_by_exception();
    Value w = v;
    v.emplace<double>(1.5);
    std::cout << std::get<double>(v) << (v == w) << (v < w) << std::get<std::string>(w) << '\n';
    std::bitset<20> bits("1011"), mask(0xff);
    bits.set(10).flip(0);
    std::cout << bits << ' ' << bits.count() << bits.test(3) << bits[1] << ' ' << (bits & mask).to_ulong() << ' ' << (~bits).count() << ' ' << (bits << 2).to_string() << bits.any() << bits.none() << '\n';
    using namespace std::chrono;
    using namespace std::chrono_literals;
    auto total = 1h + 30min + 15s + 250ms;
    std::cout << duration_cast<seconds>(total).count() << ' ' << duration_cast<minutes>(total).count() << ' ' << duration<double>(total).count() << ' ' << (90min > 1h) << ' ' << (total % 1min).count() << '\n';
    auto t0 = steady_clock::now();
    auto t1 = steady_clock::now();
    std::cout << (t1 >= t0) << (duration_cast<hours>(t1 - t0).count()) << '\n';
    std::cout << std::numeric_limits<int>::max() << ' ' << std::numeric_limits<double>::epsilon() << ' ' << std::numeric_limits<unsigned char>::digits << ' ' << std::numeric_limits<long>::min() << ' ' << std::ratio<6, 4>::num << std::endl;
}
