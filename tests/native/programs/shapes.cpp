// Virtual functions, operators, templates with traits, static members, a factory by name, CRTP counting.
#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

template <class T>
struct Counted {
    static inline int alive = 0, made = 0;
    Counted() { ++alive, ++made; }
    Counted(const Counted&) { ++alive, ++made; }
    ~Counted() { --alive; }
};
struct Vec {
    double x = 0, y = 0;
    Vec operator+(const Vec& o) const { return {x + o.x, y + o.y}; }
    Vec operator*(double s) const { return {x * s, y * s}; }
    friend Vec operator*(double s, const Vec& v) { return v * s; }
    Vec& operator+=(const Vec& o) { return *this = *this + o; }
    bool operator==(const Vec& o) const { return x == o.x && y == o.y; }
    double operator[](int i) const { return i ? y : x; }
    explicit operator bool() const { return x || y; }
    Vec operator-() const { return {-x, -y}; }
    Vec& operator++() { ++x; return *this; }
    Vec operator++(int) { Vec old = *this; ++x; return old; }
    friend std::ostream& operator<<(std::ostream& o, const Vec& v) { return o << '<' << v.x << ' ' << v.y << '>'; }
};
class Shape : Counted<Shape> {
public:
    virtual ~Shape() = default;
    virtual double area() const = 0;
    virtual std::string name() const { return "shape"; }
    virtual std::unique_ptr<Shape> clone() const = 0;
    static int count() { return alive; }
};
template <class D>
class Cloned : public Shape {
public:
    std::unique_ptr<Shape> clone() const override { return std::make_unique<D>(static_cast<const D&>(*this)); }
};
class Circle : public Cloned<Circle> {
    double r;

public:
    explicit Circle(double r) : r(r) {}
    double area() const override { return std::acos(-1.0) * r * r; }
    std::string name() const override { return "circle"; }
};
class Polygon : public Cloned<Polygon> {
protected:
    std::vector<Vec> points;

public:
    explicit Polygon(std::vector<Vec> p) : points(std::move(p)) {}
    double area() const override
    {
        double twice = 0;
        for (size_t i = 0; i < points.size(); i++) {
            const Vec &a = points[i], &b = points[(i + 1) % points.size()];
            twice += a.x * b.y - b.x * a.y;
        }
        return std::abs(twice) / 2;
    }
    std::string name() const override { return std::to_string(points.size()) + "-gon"; }
};
class Factory {
    std::map<std::string, std::function<std::unique_ptr<Shape>(double)>> makers;

public:
    Factory& add(const std::string& n, std::function<std::unique_ptr<Shape>(double)> f)
    {
        makers.emplace(n, std::move(f));
        return *this;
    }
    std::unique_ptr<Shape> make(const std::string& n, double s) const
    {
        auto it = makers.find(n);
        return it == makers.end() ? nullptr : it->second(s);
    }
};
template <class T, typename = std::enable_if_t<std::is_integral_v<T>>>
const char* kind(T) { return "integral"; }
template <class T, std::enable_if_t<std::is_floating_point_v<T>, int> = 0>
const char* kind(T) { return "floating"; }
template <class T>
auto describe(const T& t)
{
    if constexpr (std::is_pointer_v<T>) return std::string("pointer to ") + kind(*t);
    else return std::string(kind(t));
}

int main()
{
    Factory f;
    f.add("circle", [](double s) { return std::make_unique<Circle>(s); })
        .add("square", [](double s) { return std::make_unique<Polygon>(std::vector<Vec>{{0, 0}, {s, 0}, {s, s}, {0, s}}); })
        .add("triangle", [](double s) { return std::make_unique<Polygon>(std::vector<Vec>{{0, 0}, {s, 0}, {0, s}}); });
    std::vector<std::unique_ptr<Shape>> all;
    for (auto n : {"circle", "square", "triangle", "blob"})
        if (auto s = f.make(n, 2)) all.push_back(std::move(s));
    auto copies = std::vector<std::unique_ptr<Shape>>();
    for (auto& s : all) copies.push_back(s->clone());
    std::sort(copies.begin(), copies.end(), [](auto& a, auto& b) { return a->area() < b->area(); });
    for (auto& s : copies) std::cout << s->name() << ' ' << s->area() << '\n';
    std::cout << Shape::count() << ' ';
    copies.clear();
    std::cout << Shape::count() << ' ' << Counted<Shape>::made << '\n';
    Vec v{1, 2}, w = 2 * v + Vec{0.5, 0};
    v += -w;
    std::cout << v << w << w[1] << (v == w) << (Vec{} ? "yes" : "no") << w++ << ++w << '\n';
    int i = 1;
    double d = 2;
    std::cout << describe(i) << ' ' << describe(d) << ' ' << describe(&i) << ' ' << describe(&d) << ' ' << kind('c') << '\n';
}
