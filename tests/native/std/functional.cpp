// std::function, lambdas of all kinds, bind, references, member calls, recursion, composition.
#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <utility>
#include <vector>

int twice(int x) { return 2 * x; }
struct Adder {
    int base;
    int operator()(int x) const { return base + x; }
    int scaled(int x, int y) const { return base * x + y; }
};
template <class F, class G>
auto compose(F f, G g) { return [=](auto x) { return f(g(x)); }; }
std::function<int(int)> counter(int start)
{
    return [start](int step) mutable { return start += step; };
}
template <class... A>
auto sum(A... a) { return (a + ... + 0); }
template <class T, class... Rest>
void print(const T& first, const Rest&... rest)
{
    std::cout << first;
    if constexpr (sizeof...(rest) > 0) {
        std::cout << ", ";
        print(rest...);
    } else {
        std::cout << '\n';
    }
}
class Button {
    std::vector<std::function<void(const std::string&)>> handlers;

public:
    void on(std::function<void(const std::string&)> h) { handlers.push_back(std::move(h)); }
    void click(const std::string& who)
    {
        for (auto& h : handlers) h(who);
    }
};

int main()
{
    std::function<int(int)> f = twice;
    std::cout << f(4);
    f = Adder{10};
    std::cout << ' ' << f(4);
    int captured = 3;
    f = [captured](int x) { return x * captured; };
    captured = 100;
    std::cout << ' ' << f(4) << ' ' << static_cast<bool>(f);
    std::function<int(int)> g = f, none;
    std::cout << ' ' << g(5) << ' ' << !none << '\n';
    auto c1 = counter(10), c2 = c1;
    std::cout << c1(1) << ' ' << c1(1) << ' ' << c2(5) << '\n';
    auto h = compose(twice, Adder{1});
    std::cout << h(5) << ' ' << compose([](double x) { return x / 2; }, [](int x) { return x + 0.5; })(3) << '\n';
    std::function<int(int)> fib = [&fib](int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); };
    std::cout << fib(15) << '\n';
    std::map<std::string, std::function<double(double, double)>> ops{
        {"+", [](double a, double b) { return a + b; }},
        {"-", std::minus<double>()},
        {"*", [](double a, double b) { return a * b; }},
        {"max", [](double a, double b) { return a > b ? a : b; }},
    };
    for (auto& [name, op] : ops) std::cout << name << '=' << op(6, 4) << ' ';
    std::cout << '\n';
    int log = 0;
    Button b;
    b.on([&](const std::string& s) { log += s.size(); });
    b.on([](const std::string& s) { std::cout << "hi " << s << ' '; });
    std::string big(100, 'x');
    b.on([big](const std::string& s) { std::cout << big.size() + s.size() << ' '; });
    b.click("ann");
    b.click("bert");
    std::cout << log << '\n';
    auto bound = std::bind(twice, 21);
    using namespace std::placeholders;
    auto minus = std::bind([](int a, int b) { return a - b; }, _2, _1);
    std::cout << bound() << ' ' << minus(1, 10) << '\n';
    int target = 1;
    auto r = std::ref(target);
    r.get() = 8;
    std::reference_wrapper<int> rw = target;
    rw += 1;
    std::cout << target << ' ' << std::invoke(twice, 6) << '\n';
    print(1, "two", 3.5, 'c', std::string("five"));
    std::cout << sum() << sum(1) << ' ' << sum(1, 2.5, 3) << '\n';
    auto generic = [](auto a, auto b) { return a < b ? a : b; };
    std::cout << generic(3, 2) << generic(std::string("b"), std::string("a")) << '\n';
    auto init = [v = std::vector<int>{1, 2, 3}, total = 0]() mutable {
        for (int x : v) total += x;
        return total;
    };
    std::cout << init() << init() << '\n';
    int (*plain)(int) = [](int x) { return x + 1; };
    std::cout << plain(1) << [] { return 7; }() << [&] { return target; }() << '\n';
    std::vector<std::function<int()>> late;
    for (int i = 0; i < 3; i++) late.push_back([i] { return i * i; });
    for (auto& l : late) std::cout << l() << ' ';
    std::cout << std::plus<>()(2, 3) << std::not_fn([](int x) { return x > 2; })(1) << std::hash<int>()(5) << std::endl;
}
