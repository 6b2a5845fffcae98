// Exceptions thrown by and through the standard library: what is caught, and what containers destroy on the way.
#include <algorithm>
#include <any>
#include <bitset>
#include <cstdio>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

static int fuse = 1 << 30, alive;
struct T {
    int n;
    T(int n = 0) : n(n) { burn(); ++alive; }
    T(const T& o) : n(o.n) { burn(); ++alive; }
    T& operator=(const T& o) { n = o.n; burn(); return *this; }
    ~T() { --alive; }
    bool operator<(const T& o) const { burn(); return n < o.n; }
    static void burn() { if (--fuse == 0) throw std::runtime_error("fuse"); }
};
template <class F> void attempt(const char* what, F f) {
    try { f(); printf("%s: fine\n", what); }
    catch (const std::out_of_range& e) { printf("%s: out_of_range %s\n", what, e.what()); }
    catch (const std::logic_error& e) { printf("%s: logic_error %s\n", what, e.what()); }
    catch (const std::runtime_error& e) { printf("%s: runtime_error %s\n", what, e.what()); }
    catch (const std::exception& e) { printf("%s: exception %s\n", what, e.what()); }
    catch (int i) { printf("%s: int %d\n", what, i); }
}
template <class F> void every_point(const char* what, F f) {
    int caught = 0, n = 1;
    for (;; ++n) {
        fuse = n;
        try { f(); break; } catch (const std::runtime_error&) { ++caught; }
        if (alive) { printf("%s leaks at %d: %d\n", what, n, alive); alive = 0; }
    }
    fuse = 1 << 30;
    printf("%s: %d points, %d alive\n", what, caught, alive);
}

int main() {
    std::vector<int> v{1, 2, 3};
    std::string s = "hello";
    std::map<std::string, int> m{{"one", 1}};
    attempt("vector::at", [&] { printf("%d\n", v.at(7)); });
    attempt("vector::at fine", [&] { printf("%d\n", v.at(2)); });
    attempt("string::at", [&] { printf("%c\n", s.at(9)); });
    attempt("string::substr", [&] { printf("%s\n", s.substr(6).c_str()); });
    attempt("string::erase", [&] { s.erase(9); });
    attempt("map::at", [&] { printf("%d\n", m.at("two")); });
    attempt("vector::reserve", [&] { v.reserve(v.max_size() + 1); });
    attempt("string(n)", [&] { std::string t(s.max_size() + 1, 'x'); printf("%zu\n", t.size()); });
    attempt("vector(n)", [&] { std::vector<double> w(~size_t(0) / 4); printf("%zu\n", w.size()); });
    attempt("stoi", [&] { printf("%d\n", std::stoi("abc")); });
    attempt("stoi range", [&] { printf("%d\n", std::stoi("99999999999999")); });
    attempt("stoi fine", [&] { printf("%d\n", std::stoi("42x")); });
    attempt("stod", [&] { printf("%g\n", std::stod("-")); });
    attempt("optional", [&] { std::optional<int> o; printf("%d\n", o.value()); });
    attempt("variant", [&] { std::variant<int, double> w = 1; printf("%g\n", std::get<double>(w)); });
    attempt("any", [&] { std::any a = 1; printf("%g\n", std::any_cast<double>(a)); });
    attempt("function", [&] { std::function<int(int)> f; printf("%d\n", f(1)); });
    attempt("bitset", [&] { std::bitset<8> b; b.set(9); });
    attempt("bitset text", [&] { std::bitset<8> b(std::string("01x")); printf("%zu\n", b.count()); });
    attempt("weak_ptr", [&] { std::weak_ptr<int> w; std::shared_ptr<int> p(w); });
    attempt("callback", [&] { std::for_each(v.begin(), v.end(), [](int i) { if (i == 2) throw i; }); });
    attempt("comparison", [&] { std::sort(v.begin(), v.end(), [](int a, int b) { if (a == b) throw a; return a > b; }); });
    attempt("function throws", [&] { std::function<void()> f = [] { throw 7; }; f(); });
    attempt("unique_ptr", [&] { auto p = std::make_unique<T>(1); auto q = std::make_unique<std::vector<T>>(3); throw 8; });
    printf("%d alive\n", alive);
    every_point("push_back", [] { std::vector<T> w; for (int i = 0; i < 6; ++i) w.push_back(T(i)); });
    every_point("copy", [] { std::vector<T> w(4, T(1)); std::vector<T> x = w; x = w; x.insert(x.begin() + 1, T(2)); x.erase(x.begin()); });
    every_point("resize", [] { std::vector<T> w(2); w.resize(7); w.emplace_back(3); w.assign(3, T(4)); });
    every_point("list", [] { std::list<T> l; for (int i = 0; i < 4; ++i) l.push_front(i); std::list<T> k(l); k.sort(); l.splice(l.begin(), k); });
    every_point("map", [] { std::map<T, T> m; for (int i = 0; i < 5; ++i) m[i * 3 % 5] = T(i); auto c = m; c.erase(2); });
    every_point("sort", [] { std::vector<T> w; w.reserve(9); for (int i = 0; i < 9; ++i) w.emplace_back(i * 7 % 9); std::sort(w.begin(), w.end()); });
    every_point("shared_ptr", [] { auto p = std::make_shared<T>(1); std::shared_ptr<T> q(new T(2)); std::swap(p, q); std::vector<std::shared_ptr<T>> w(3, p); w.push_back(std::make_shared<T>(*q)); });
    every_point("function", [] { T t(1); std::function<int()> f = [t] { return t.n; }; auto g = f; g = f; });
    every_point("optional", [] { std::optional<T> o = T(1); std::optional<T> p = o; p = T(2); o.emplace(3); });
    every_point("variant", [] { std::variant<int, T> w = T(1); w = 2; w = T(3); auto x = w; });
    every_point("pair", [] { std::pair<T, T> p(1, 2); auto q = std::make_pair(p, T(3)); std::vector<std::pair<T, T>> w{{1, 2}, {3, 4}}; });
    every_point("string map", [] { std::map<std::string, std::vector<T>> m; m["a long enough key to be on the heap"].push_back(T(1)); m["b"] = std::vector<T>(2); });
    return 0;
}
