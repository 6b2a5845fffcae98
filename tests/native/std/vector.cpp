// std::vector: every member, with elements that tell when they are made, copied, moved and destroyed.
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

struct Loud {
    int n;
    Loud(int i = 0) : n(i) { std::cout << '+' << n << ' '; }
    Loud(const Loud& o) : n(o.n) { std::cout << 'c' << n << ' '; }
    Loud(Loud&& o) noexcept : n(o.n) { o.n = -1; std::cout << 'm' << n << ' '; }
    Loud& operator=(const Loud& o) { n = o.n; std::cout << '=' << n << ' '; return *this; }
    Loud& operator=(Loud&& o) noexcept { n = o.n; o.n = -1; std::cout << '<' << n << ' '; return *this; }
    ~Loud() { std::cout << '-' << n << ' '; }
    bool operator<(const Loud& o) const { return n < o.n; }
};

template <class T>
void show(const char* name, const std::vector<T>& v)
{
    std::cout << name << " [" << v.size() << "/" << v.capacity() << "]";
    for (const auto& x : v) std::cout << ' ' << x;
    std::cout << '\n';
}

int main()
{
    std::vector<int> empty;
    std::vector<int> filled(5, 7), zero(3), list{9, 8, 7, 6, 5};
    std::vector<int> range(list.begin() + 1, list.end() - 1), copy(list), moved(std::move(copy));
    show("empty", empty);
    show("filled", filled);
    show("zero", zero);
    show("range", range);
    show("moved", moved);
    std::cout << copy.size() << ' ' << empty.empty() << ' ' << list.front() << ' ' << list.back() << ' ' << list.at(2) << '\n';
    for (int i = 0; i < 20; i++) empty.push_back(i * i);
    show("pushed", empty);
    empty.reserve(100);
    empty.resize(10);
    show("resized", empty);
    empty.shrink_to_fit();
    empty.resize(12, -1);
    show("grown", empty);
    empty.insert(empty.begin() + 2, 1000);
    empty.insert(empty.end(), 3, 2000);
    empty.insert(empty.begin(), list.begin(), list.end());
    empty.insert(empty.begin() + 1, {1, 2, 3});
    show("inserted", empty);
    empty.erase(empty.begin());
    empty.erase(empty.begin() + 2, empty.begin() + 6);
    empty.pop_back();
    show("erased", empty);
    empty.erase(std::remove(empty.begin(), empty.end(), 2000), empty.end());
    show("removed", empty);
    empty.assign(4, 3);
    show("assigned", empty);
    empty.assign({5, 6, 7});
    empty.swap(list);
    show("swapped", empty);
    std::cout << (filled == zero) << (filled != zero) << (list < moved) << (list > moved) << '\n';
    for (auto it = moved.rbegin(); it != moved.rend(); ++it) std::cout << *it << ' ';
    for (auto it = moved.cbegin(); it != moved.cend(); it++) std::cout << *it << ' ';
    std::cout << moved.data()[3] << ' ' << *(moved.begin() + 1) << ' ' << moved.end() - moved.begin() << '\n';
    list.clear();
    std::cout << list.size() << '\n';

    {
        std::vector<Loud> v;
        v.emplace_back(1);
        v.push_back(Loud(2));
        v.emplace_back(3);
        std::cout << "| ";
        v.insert(v.begin(), Loud(4));
        std::cout << "| ";
        v.erase(v.begin() + 1);
        std::cout << "| ";
        std::vector<Loud> w = v;
        std::cout << "| ";
        std::sort(w.begin(), w.end());
        std::cout << "| ";
        w = v;
        std::cout << "| ";
        v.resize(1);
        std::cout << "| ";
        v.resize(3);
        std::cout << "| ";
        v = std::move(w);
        std::cout << "| ";
    }
    std::cout << '\n';

    std::vector<std::vector<double>> matrix(3, std::vector<double>(4));
    for (size_t i = 0; i < matrix.size(); i++)
        for (size_t j = 0; j < matrix[i].size(); j++) matrix[i][j] = i * 10 + j / 2.0;
    for (const auto& row : matrix) {
        for (double x : row) std::cout << x << '\t';
        std::cout << '\n';
    }
    std::vector<bool> bits(10);
    bits[3] = bits[7] = true;
    bits.push_back(true);
    bits.flip();
    int set = 0;
    for (bool b : bits) set += b, std::cout << b;
    bits[0].flip();
    std::cout << ' ' << set << ' ' << bits.size() << ' ' << std::count(bits.begin(), bits.end(), true) << '\n';
    std::vector<std::string> words{"the", "quick", "brown", "fox"};
    words.emplace(words.begin() + 1, 5, 'x');
    std::cout << std::accumulate(words.begin(), words.end(), std::string()) << '\n';
    std::vector<std::pair<int, std::string>> pairs;
    for (auto& w : words) pairs.emplace_back(w.size(), w);
    std::sort(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    for (const auto& [n, w] : pairs) std::cout << n << w << ' ';
    std::cout << std::endl;
}
