// Ranges of one's own: member and free begin and end, iterators with free or friend operators, sentinels,
// proxies, generators, reverse and move iterators, streams as ranges, what temporaries live for.
#include <algorithm>
#include <iostream>
#include <iterator>
#include <map>
#include <numeric>
#include <sstream>
#include <string>
#include <valarray>
#include <vector>

struct Range {
    int from, to;
    struct Iterator {
        using iterator_category = std::input_iterator_tag;
        using value_type = int;
        using difference_type = int;
        using pointer = int*;
        using reference = int;
        int at;
        int operator*() const { return at; }
        Iterator& operator++() { return ++at, *this; }
        Iterator operator++(int) { return {at++}; }
        friend bool operator==(Iterator a, Iterator b) { return a.at == b.at; }
        friend bool operator!=(Iterator a, Iterator b) { return a.at != b.at; }
    };
    Iterator begin() const { return {from}; }
    Iterator end() const { return {to}; }
};
struct Text {
    const char* p;
};
struct Zero {};
struct Chars {
    const char* p;
    char operator*() const { return *p; }
    Chars& operator++() { ++p; return *this; }
};
bool operator!=(const Chars& c, Zero) { return *c.p != 0; }
Chars begin(const Text& t) { return {t.p}; }
Zero end(const Text&) { return {}; }

template <class T>
struct Grid {
    std::vector<T> cells;
    int width;
    struct Cell {
        int x, y;
        T& value;
    };
    template <class G>
    struct It {
        G* grid;
        size_t i;
        Cell operator*() const { return {int(i % grid->width), int(i / grid->width), grid->cells[i]}; }
        It& operator++() { ++i; return *this; }
        bool operator!=(const It& o) const { return i != o.i; }
    };
    It<Grid> begin() { return {this, 0}; }
    It<Grid> end() { return {this, cells.size()}; }
};
namespace lib {
template <class T>
struct Pairs {
    T a, b;
};
template <class T>
T* begin(Pairs<T>& p) { return &p.a; }
template <class T>
T* end(Pairs<T>& p) { return &p.b + 1; }
}
struct Loud {
    std::vector<int> v{1, 2, 3};
    Loud() { std::cout << "made "; }
    ~Loud() { std::cout << "gone "; }
    auto begin() const { return v.begin(); }
    auto end() const { return v.end(); }
};
Loud make() { return {}; }

int main()
{
    int sum = 0;
    for (int i : Range{1, 5}) sum += i;
    for (const int& i : Range{10, 12}) sum += i;
    for (auto&& i : Range{0, 0}) sum += 1000 + i;
    std::cout << sum << ' ' << std::accumulate(Range{1, 4}.begin(), Range{1, 4}.end(), 0) << '\n';
    for (char c : Text{"hello"}) std::cout << c << '.';
    Grid<int> g{{1, 2, 3, 4, 5, 6}, 3};
    for (auto [x, y, v] : g) v += 10 * x + 100 * y;
    for (auto cell : g) std::cout << cell.value << ' ';
    lib::Pairs<double> p{1.5, 2.5};
    for (double& d : p) d *= 2;
    for (double d : p) std::cout << d << ' ';
    std::cout << '\n';
    for (int x : make()) std::cout << x << ' ';
    std::cout << "| ";
    for (int x : make()) {
        if (x == 1) continue;
        if (x == 3) break;
        std::cout << x << ' ';
    }
    auto first = [] {
        for (int x : make()) return x;
        return 0;
    };
    std::cout << first() << '\n';
    int rows[2][3] = {{1, 2, 3}, {4, 5, 6}};
    for (auto& row : rows)
        for (int& x : row) x *= x;
    for (auto& row : rows) std::cout << std::accumulate(std::begin(row), std::end(row), 0) << ' ';
    for (const char* s : {"a", "bc"}) std::cout << s << ' ';
    for (char c : std::string("xyz")) std::cout << c;
    for (char c : "ab") std::cout << int(c) << ' ';
    std::cout << '\n';
    std::istringstream in("4 5 6");
    std::vector<int> read{std::istream_iterator<int>(in), std::istream_iterator<int>()};
    std::copy(read.rbegin(), read.rend(), std::ostream_iterator<int>(std::cout, " "));
    std::vector<std::string> words{"one", "two"}, taken(std::make_move_iterator(words.begin()), std::make_move_iterator(words.end()));
    std::cout << taken[1] << words[1].size() << *std::next(taken.begin()) << std::distance(read.begin(), read.end()) << '\n';
    std::map<int, std::map<int, std::string>> nested{{1, {{2, "x"}, {3, "y"}}}, {4, {{5, "z"}}}};
    for (const auto& [a, inner] : nested)
        for (const auto& [b, s] : inner) std::cout << a << b << s << ' ';
    std::valarray<int> va{1, 2, 3};
    va *= 2;
    for (int x : va) std::cout << x << ' ';
    std::cout << va.sum() << ' ' << va.max() << '\n';
    for (auto it = std::make_reverse_iterator(read.end()); it != std::make_reverse_iterator(read.begin()); ++it) std::cout << *it;
    std::vector<int> sink;
    std::copy(read.begin(), read.end(), std::inserter(sink, sink.begin()));
    std::fill_n(std::back_inserter(sink), 2, 9);
    for (auto& s : sink) std::cout << s;
    std::cout << std::endl;
}
