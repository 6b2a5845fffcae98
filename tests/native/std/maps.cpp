// Ordered and unordered maps and sets, multi versions, iteration, hints, erasure, custom orders and hashes.
#include <functional>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

struct Point {
    int x, y;
    bool operator==(const Point& o) const { return x == o.x && y == o.y; }
    bool operator<(const Point& o) const { return x < o.x || (x == o.x && y < o.y); }
};
struct PointHash {
    size_t operator()(const Point& p) const { return std::hash<int>()(p.x) * 31 + std::hash<int>()(p.y); }
};
struct Longer {
    bool operator()(const std::string& a, const std::string& b) const { return a.size() > b.size() || (a.size() == b.size() && a < b); }
};

int main()
{
    std::map<int, std::string> m{{3, "three"}, {1, "one"}, {2, "two"}};
    m[10] = "ten";
    m.insert({4, "four"});
    m.insert(std::make_pair(3, "again"));
    m.emplace(7, "seven");
    auto [where, fresh] = m.try_emplace(7, "other");
    std::cout << where->second << fresh << '\n';
    m.insert_or_assign(1, "ONE");
    for (const auto& [k, v] : m) std::cout << k << '=' << v << ' ';
    std::cout << '\n' << m.at(2) << m.count(5) << m.size() << (m.find(9) == m.end()) << '\n';
    auto low = m.lower_bound(3), high = m.upper_bound(7);
    for (auto it = low; it != high; ++it) std::cout << it->first << ' ';
    m.erase(3);
    m.erase(m.begin());
    for (auto it = m.rbegin(); it != m.rend(); ++it) std::cout << it->first << ' ';
    std::cout << '\n';
    std::map<int, int> big;
    unsigned seed = 1;
    for (int i = 0; i < 500; i++) {
        seed = seed * 1103515245 + 12345;
        big[seed >> 20 & 255] += i;
        if (i % 3 == 0) big.erase(seed >> 12 & 255);
    }
    long sum = 0;
    int last = -1;
    for (auto& p : big) sum = sum * 31 % 1000003 + p.first * p.second, sum += last < p.first, last = p.first;
    std::cout << big.size() << ' ' << sum << '\n';
    while (big.size() > 5) big.erase(std::next(big.begin(), big.size() / 2));
    for (auto& p : big) std::cout << p.first << ':' << p.second << ' ';
    std::cout << '\n';
    std::multimap<std::string, int> mm{{"b", 1}, {"a", 2}, {"b", 3}, {"c", 4}, {"b", 5}};
    auto eq = mm.equal_range("b");
    for (auto it = eq.first; it != eq.second; ++it) std::cout << it->second << ' ';
    std::cout << mm.count("b") << '\n';
    std::set<std::string, Longer> names{"bo", "alexander", "eve", "christina", "al"};
    for (auto& n : names) std::cout << n << ' ';
    std::multiset<int, std::greater<int>> ms{5, 1, 5, 3};
    for (int x : ms) std::cout << x << ' ';
    std::cout << '\n';
    std::set<Point> points{{1, 2}, {0, 5}, {1, 1}};
    for (auto& p : points) std::cout << p.x << ',' << p.y << ' ';
    std::set<int> a{1, 2, 3}, b;
    b = a;
    a.merge(b);
    std::cout << a.size() << b.size() << (a == b) << *a.begin() << *a.rbegin() << '\n';

    std::unordered_map<std::string, int> count;
    for (const char* w : {"to", "be", "or", "not", "to", "be", "that", "is", "the", "question"}) ++count[w];
    for (auto& [w, n] : count) std::cout << w << n << ' ';
    std::cout << count.bucket_count() << ' ' << count.load_factor() << '\n';
    std::unordered_map<Point, std::string, PointHash> grid;
    for (int i = 0; i < 30; i++) grid[{i % 6, i / 6}] = std::to_string(i);
    std::cout << grid.at({3, 2}) << ' ' << grid.size() << '\n';
    for (auto it = grid.begin(); it != grid.end();) it = it->first.x % 2 ? grid.erase(it) : std::next(it);
    for (auto& [p, s] : grid) std::cout << p.x << p.y << s << ' ';
    std::cout << '\n';
    std::unordered_set<int> us;
    for (int i = 0; i < 100; i += 7) us.insert(i);
    us.erase(14);
    us.rehash(50);
    for (int x : us) std::cout << x << ' ';
    std::cout << us.count(21) << us.count(14) << '\n';
    std::unordered_multimap<int, char> um{{1, 'a'}, {2, 'b'}, {1, 'c'}};
    for (auto& [k, v] : um) std::cout << k << v << ' ';
    std::unordered_map<int, std::vector<int>> graph;
    for (int i = 1; i < 20; i++) graph[i / 2].push_back(i);
    for (int i = 0; i < 10; i++)
        for (int j : graph[i]) std::cout << i << '>' << j << ' ';
    std::unordered_map<double, int> ud{{0.5, 1}, {-0.0, 2}};
    std::cout << ud[0.0] << ud.size() << std::endl;
}
