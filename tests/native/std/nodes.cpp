// Lists, deques and maps: splicing, merging, node handles, hints, ranges, heterogeneous look-up, comparison.
#include <algorithm>
#include <deque>
#include <forward_list>
#include <functional>
#include <iostream>
#include <iterator>
#include <list>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

template <typename C> void show(const char *what, const C &c)
{
    std::cout << what << ':';
    for (const auto &x : c) std::cout << ' ' << x;
    std::cout << '\n';
}
template <typename M> void pairs(const char *what, const M &m)
{
    std::cout << what << ':';
    for (const auto &[k, v] : m) std::cout << ' ' << k << '=' << v;
    std::cout << '\n';
}
struct Odd {
    bool operator()(int x) const { return x % 2; }
};
int main()
{
    std::list<int> a{5, 1, 4}, b{3, 2, 6};
    a.sort();
    b.sort(std::greater<>());
    b.reverse();
    a.merge(b);
    show("merged", a);
    std::list<int> c{10, 20, 30};
    auto it = std::next(a.begin(), 2);
    a.splice(it, c, std::next(c.begin()));
    show("spliced one", a);
    a.splice(a.end(), c);
    std::list<int> d{7, 8, 9};
    a.splice(a.begin(), d, d.begin(), std::prev(d.end()));
    show("spliced", a);
    a.remove_if(Odd());
    a.push_back(20);
    a.unique();
    show("removed", a);
    std::cout << c.empty() << d.size() << (a < d) << (a == a) << '\n';
    a.resize(3);
    a.insert(std::next(a.begin()), {100, 200});
    a.insert(a.end(), 2, -1);
    show("inserted", a);
    a.erase(std::find(a.begin(), a.end(), 100), a.end());
    show("erased", a);

    std::forward_list<std::string> f{"one", "two", "three"};
    f.insert_after(f.before_begin(), "zero");
    f.emplace_after(f.begin(), 3, 'x');
    std::forward_list<std::string> g{"aa", "bb"};
    f.splice_after(f.before_begin(), g);
    f.sort();
    f.erase_after(f.begin());
    f.reverse();
    show("forward", f);
    f.remove("two");
    std::cout << std::distance(f.begin(), f.end()) << '\n';

    std::deque<int> q;
    for (int i = 0; i < 300; i++) (i % 3 ? q.push_back(i) : q.push_front(-i));
    q.insert(q.begin() + 150, {7, 7, 7});
    q.erase(q.begin() + 10, q.begin() + 140);
    q.erase(q.end() - 5);
    std::rotate(q.begin(), q.begin() + 9, q.end());
    q.shrink_to_fit();
    std::cout << q.size() << ' ' << q[0] << ' ' << q[20] << ' ' << q.front() << ' ' << q.back() << ' ' << q.at(50) << '\n';
    try {
        q.at(1000);
    } catch (const std::out_of_range &e) {
        std::cout << e.what() << '\n';
    }

    std::map<std::string, int, std::less<>> m{{"b", 2}, {"a", 1}, {"c", 3}};
    auto node = m.extract("b");
    node.key() = "z";
    node.mapped() += 24;
    auto placed = m.insert(std::move(node));
    std::cout << placed.inserted << placed.position->first << placed.node.empty() << '\n';
    std::map<std::string, int, std::less<>> other{{"a", 100}, {"y", 25}};
    m.merge(other);
    pairs("map", m);
    pairs("left", other);
    std::cout << (m.find(std::string_view("y")) != m.end()) << m.count("q") << m.lower_bound("b")->first << '\n';
    std::cout << m.try_emplace("a", 5).second << m.insert_or_assign("a", 6).second << m["a"] << '\n';
    m.emplace_hint(m.begin(), "aa", 11);
    auto [low, high] = m.equal_range("aa");
    std::cout << low->first << ' ' << high->first << '\n';
    m.erase(m.begin(), m.find("y"));
    pairs("rest", m);
    std::multimap<int, char> mm{{1, 'a'}, {2, 'b'}, {1, 'c'}, {1, 'd'}};
    for (auto [i, e] = mm.equal_range(1); i != e; ++i) std::cout << i->second;
    std::cout << mm.erase(1) << mm.size() << '\n';
    std::multiset<int, std::greater<int>> ms{3, 1, 3, 2};
    show("multiset", ms);
    ms.erase(ms.find(3));
    show("multiset", ms);
    std::set<int> s1{1, 2, 3, 5}, s2{2, 3, 4}, out;
    std::set_symmetric_difference(s1.begin(), s1.end(), s2.begin(), s2.end(), std::inserter(out, out.end()));
    show("difference", out);
    s1.merge(s2);
    show("set", s1);
    show("left", s2);
    std::cout << (s1 > s2) << s1.count(4) << *s1.upper_bound(2) << *s1.rbegin() << '\n';
    std::unordered_map<std::string, std::vector<int>> u;
    for (int i = 0; i < 50; i++) u["k" + std::to_string(i % 7)].push_back(i);
    std::cout << u.size() << ' ' << u["k3"].size() << ' ' << u.count("k9") << '\n';
}
