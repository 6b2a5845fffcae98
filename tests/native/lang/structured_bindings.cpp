// Structured bindings of arrays, classes and tuples, and of classes with a `get` of their own.
#include <cstdio>
#include <string>
#include <tuple>
#include <map>
#include <array>
struct Point {
    int x, y;
};
class Person {
    std::string name_;
    int age_;
    public:
    Person(std::string n, int a) : name_(n), age_(a) {
    }
    const std::string& name() const {
        return name_;
    }
    int age() const {
        return age_;
    }
    int& age() {
        return age_;
    }
    template <std::size_t I> decltype(auto) get() const {
        if constexpr (I == 0) return name();
        else return age_ + 0;
    }
};
namespace std {
    template <> struct tuple_size<Person> : integral_constant<size_t, 2> {
    };
    template <> struct tuple_element<0, Person> {
        using type = const std::string&;
    };
    template <> struct tuple_element<1, Person> {
        using type = int;
    };
}
namespace geo {
    struct Vec {
        double v[3];
    };
    template <std::size_t I> double& get(Vec& v) {
        printf("get%zu ", I);
        return v.v[I];
    }
    template <std::size_t I> const double& get(const Vec& v) {
        printf("cget%zu ", I);
        return v.v[I];
    }
    template <std::size_t I> double&& get(Vec&& v) {
        printf("mget%zu ", I);
        return std::move(v.v[I]);
    }
}
namespace std {
    template <> struct tuple_size<geo::Vec> {
        static const size_t value = 3;
    };
    template <size_t I> struct tuple_element<I, geo::Vec> {
        using type = double;
    };
}
struct Rgb {
    unsigned r : 5, g : 6, b : 5;
};
static int s1 = 4;

int main() {
    Person p("Ann", 30);
    auto [n, a] = p;
    printf("%s %d\n", n.c_str(), a);
    geo::Vec v{{1, 2, 3}};
    auto& [x, y, z] = v;
    x = 10;
    printf("%g %g %g\n", v.v[0], y, z);
    auto [cx, cy, cz] = v;
    cx = 99;
    printf("%g %g %g %g\n", v.v[0], cx, cy, cz);
    const auto& [dx, dy, dz] = v;
    printf("%g\n", dx + dy + dz);
    auto&& [ex, ey, ez] = geo::Vec{{4, 5, 6}};
    printf("%g\n", ex + ey + ez);
    Rgb c{1, 2, 3};
    auto& [r, g, b] = c;
    g = 60;
    printf("%u %u %u\n", c.r, c.g, c.b);
    std::map<std::string, Person> people;
    people.emplace("x", Person("Bob", 41));
    for (auto& [key, value] : people) {
        auto [nn, aa] = value;
        printf("%s %s %d\n", key.c_str(), nn.c_str(), aa);
    }
    for (auto [i, j] : {std::pair{1, 2}, std::pair{3, 4}}) printf("%d %d ", i, j);
    puts("");
    if (auto [it, ok] = people.try_emplace("y", "Cyd", 7); ok) printf("%s\n", it->first.c_str());

    auto lam = [=] { return x + y; };
    printf("%g\n", lam());
    auto [t1, t2, t3] = std::tuple<int&, std::string, const char>(s1, "str", 'c');
    t1 = 77;
    printf("%d %s %c\n", s1, t2.c_str(), t3);

    int arr[2][2] = {{1,2},{3,4}};
    auto& [row0, row1] = arr;
    row1[0] = 50;
    printf("%d %d\n", row0[1], arr[1][0]);
    auto [ra, rb] = std::array<int,2>{7,8};
    printf("%d%d\n", ra, rb);
}
