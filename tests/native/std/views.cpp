// string_view, optional, variant, any, tuple, charconv-free text handling.
#include <any>
#include <cctype>
#include <algorithm>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>
using namespace std::literals;
std::vector<std::string_view> split(std::string_view s, std::string_view by)
{
    std::vector<std::string_view> out;
    for (std::size_t at = 0;;) {
        auto next = s.find(by, at);
        out.push_back(s.substr(at, next - at));
        if (next == s.npos) return out;
        at = next + by.size();
    }
}
template <class... F> struct Over : F... {
    using F::operator()...;
};
template <class... F> Over(F...) -> Over<F...>;
int main()
{
    std::string_view s = "  the quick brown fox  ";
    s.remove_prefix(s.find_first_not_of(' '));
    s.remove_suffix(s.size() - 1 - s.find_last_not_of(' '));
    std::cout << '[' << s << "] " << s.size() << s.front() << s.back() << '\n';
    for (auto w : split(s, " ")) std::cout << w << '/' << w.length() << ' ';
    std::cout << '\n' << s.rfind('o') << ' ' << s.find_first_of("xyz") << ' ' << s.compare("the") << ' ' << (s < "thf"sv) << ' ' << s.compare(4, 5, "quick") << '\n';
    std::string t(s.substr(4, 5));
    t.append(3, '!').insert(0, ">> ").replace(3, 5, "slow"sv);
    std::cout << t << ' ' << t.find("slow"sv) << ' ' << (t == ">> slow!!!"sv) << ' ' << std::hash<std::string_view>()("a") - std::hash<std::string>()("a") << '\n';
    try {
        std::cout << s.substr(100);
    } catch (const std::out_of_range &e) {
        std::cout << e.what() << '\n';
    }
    char copy[4] = {};
    s.copy(copy, 3, 1);
    std::cout << copy << ' ' << std::count_if(s.begin(), s.end(), [](char c) { return std::isspace(static_cast<unsigned char>(c)); }) << '\n';
    std::string up(s);
    std::transform(up.begin(), up.end(), up.begin(), [](unsigned char c) { return std::toupper(c); });
    std::cout << up << ' ' << std::string(up.rbegin(), up.rend()) << '\n';
    std::cout << std::stoi("  42abc") << ' ' << std::stod("1e3") << ' ' << std::stoul("ff", nullptr, 16) << ' ' << std::to_string(3.5) << ' ' << std::to_string(-7LL) << '\n';
    for (auto bad : {"abc", "99999999999"}) try {
            std::cout << std::stoi(bad);
        } catch (const std::invalid_argument &e) {
            std::cout << "invalid " << e.what() << '\n';
        } catch (const std::out_of_range &e) {
            std::cout << "range " << e.what() << '\n';
        }
    std::optional<std::string> o, p("set");
    std::cout << o.has_value() << p->size() << o.value_or("none") << (o < p) << (p == "set") << '\n';
    o = p;
    o->append("!");
    p.reset();
    std::swap(o, p);
    std::cout << *p << o.has_value() << '\n';
    try {
        o.value();
    } catch (const std::bad_optional_access &e) {
        std::cout << e.what() << '\n';
    }
    std::variant<int, double, std::string, std::vector<int>> v;
    auto name = Over{[](int i) { return "int " + std::to_string(i); }, [](double d) { return "double " + std::to_string(d); },
                     [](const std::string &x) { return "string " + x; }, [](const auto &c) { return "vector " + std::to_string(c.size()); }};
    std::cout << std::visit(name, v);
    v = 2.5;
    std::cout << ' ' << std::visit(name, v);
    v = "text";
    std::cout << ' ' << std::visit(name, v) << v.index();
    v.emplace<3>(4, 1);
    std::cout << ' ' << std::visit(name, v) << std::holds_alternative<std::string>(v) << (std::get_if<1>(&v) == nullptr) << '\n';
    try {
        std::get<int>(v);
    } catch (const std::bad_variant_access &e) {
        std::cout << e.what() << '\n';
    }
    std::any a = 5;
    std::cout << std::any_cast<int>(a) << (a.type() == typeid(int));
    a = std::string("in any");
    std::cout << std::any_cast<std::string &>(a) << (std::any_cast<int>(&a) == nullptr) << '\n';
    try {
        std::any_cast<float>(a);
    } catch (const std::bad_any_cast &e) {
        std::cout << e.what() << '\n';
    }
    auto tup = std::tuple_cat(std::make_tuple(1, "two"s), std::tie(up), std::make_pair(3.0, 'c'));
    std::get<2>(tup) = "changed";
    std::cout << std::tuple_size_v<decltype(tup)> << up << std::get<double>(tup) << (std::make_tuple(1, 2) < std::make_tuple(1, 3)) << '\n';
    std::apply([](auto &&...x) { ((std::cout << x << ','), ...); }, tup);
    std::cout << '\n';
}
