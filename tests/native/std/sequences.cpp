// deque, list, forward_list, array, and the adaptors queue, stack, priority_queue.
#include <algorithm>
#include <array>
#include <deque>
#include <forward_list>
#include <iostream>
#include <iterator>
#include <list>
#include <queue>
#include <stack>
#include <string>
#include <vector>

template <class C>
void show(const C& c)
{
    for (auto it = c.begin(); it != c.end(); ++it) std::cout << *it << ' ';
    std::cout << '\n';
}

struct Task {
    int priority;
    std::string name;
};
struct Less {
    bool operator()(const Task& a, const Task& b) const { return a.priority < b.priority; }
};

int main()
{
    std::deque<int> d{3, 4};
    for (int i = 0; i < 300; i++) i % 2 ? d.push_back(i) : d.push_front(-i);
    for (int i = 0; i < 140; i++) d.pop_front(), d.pop_back();
    show(d);
    d.insert(d.begin() + 3, 999);
    d.erase(d.begin());
    d.resize(5);
    std::sort(d.begin(), d.end());
    std::cout << d[2] << ' ' << d.front() << ' ' << d.back() << ' ' << d.size() << '\n';
    show(d);
    std::list<int> l{5, 2, 9, 1}, other{100, 200};
    l.push_front(0);
    l.emplace_back(7);
    l.sort();
    show(l);
    l.splice(std::next(l.begin(), 2), other);
    show(l);
    l.remove(9);
    l.remove_if([](int x) { return x > 150; });
    l.reverse();
    l.insert(l.begin(), 3, 1);
    l.unique();
    std::list<int> sorted{0, 3, 50};
    l.sort(std::less<int>());
    l.merge(sorted);
    show(l);
    std::cout << l.size() << sorted.empty() << other.size() << *std::max_element(l.begin(), l.end()) << '\n';
    l.erase(std::find(l.begin(), l.end(), 3));
    l.swap(other);
    show(other);
    std::forward_list<int> f{1, 2, 3};
    f.push_front(0);
    f.insert_after(f.begin(), 42);
    f.erase_after(f.before_begin());
    f.reverse();
    show(f);
    for (int& x : f) x *= 2;
    f.sort();
    show(f);
    std::array<int, 5> a{5, 3, 1};
    std::array<std::array<int, 2>, 2> nested{{{1, 2}, {3, 4}}};
    a.back() = 8;
    std::sort(a.begin(), a.end());
    show(a);
    a.fill(2);
    auto [p, q, r, s, t] = a;
    std::cout << p + q + r + s + t << a.size() << nested[1][0] << std::get<1>(a) << (a == std::array<int, 5>{2, 2, 2, 2, 2}) << '\n';
    std::queue<std::string> queue;
    queue.push("first");
    queue.emplace("second");
    std::cout << queue.front() << queue.back() << queue.size();
    queue.pop();
    std::cout << queue.front() << '\n';
    std::stack<int, std::vector<int>> stack;
    for (int i = 0; i < 4; i++) stack.push(i);
    while (!stack.empty()) std::cout << stack.top(), stack.pop();
    std::cout << '\n';
    std::priority_queue<Task, std::vector<Task>, Less> tasks;
    tasks.push({2, "eat"});
    tasks.push({9, "breathe"});
    tasks.push({5, "sleep"});
    tasks.push({7, "drink"});
    for (; !tasks.empty(); tasks.pop()) std::cout << tasks.top().priority << tasks.top().name << ' ';
    std::priority_queue<int, std::vector<int>, std::greater<>> least(d.begin(), d.end());
    std::cout << least.top() << '\n';
    std::copy(d.begin(), d.end(), std::ostream_iterator<int>(std::cout, ","));
    std::copy(d.rbegin(), d.rend(), std::front_inserter(l));
    std::copy_if(d.begin(), d.end(), std::back_inserter(l), [](int x) { return x % 2; });
    show(l);
}
