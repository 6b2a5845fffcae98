// A cache that forgets what was used longest ago, a memo of a recursion, a timer, a simple allocator of ids.
#include <chrono>
#include <iostream>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

template <class K, class V>
class Cache {
    size_t room;
    std::list<std::pair<K, V>> items;
    std::unordered_map<K, typename std::list<std::pair<K, V>>::iterator> index;

public:
    explicit Cache(size_t n) : room(n) {}
    std::optional<V> get(const K& k)
    {
        auto it = index.find(k);
        if (it == index.end()) return {};
        items.splice(items.begin(), items, it->second);
        return it->second->second;
    }
    void put(const K& k, V v)
    {
        if (auto it = index.find(k); it != index.end()) {
            it->second->second = std::move(v);
            items.splice(items.begin(), items, it->second);
            return;
        }
        if (items.size() == room) {
            index.erase(items.back().first);
            items.pop_back();
        }
        items.emplace_front(k, std::move(v));
        index[k] = items.begin();
    }
    friend std::ostream& operator<<(std::ostream& out, const Cache& c)
    {
        for (const auto& [k, v] : c.items) out << k << '=' << v << ' ';
        return out;
    }
};
class Timer {
    std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();

public:
    double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); }
};
unsigned long long ways(int n, std::unordered_map<int, unsigned long long>& memo)
{
    if (n <= 1) return 1;
    if (auto it = memo.find(n); it != memo.end()) return it->second;
    return memo[n] = ways(n - 1, memo) + ways(n - 2, memo);
}
struct Id {
    static int next;
    const int value = next++;
    ~Id() { std::cout << '~' << value << ' '; }
};
int Id::next = 100;

int main()
{
    Timer timer;
    Cache<std::string, int> cache(3);
    cache.put("a", 1);
    cache.put("b", 2);
    cache.put("c", 3);
    std::cout << cache.get("a").value_or(-1) << ' ' << cache << '\n';
    cache.put("d", 4);
    std::cout << cache.get("b").has_value() << ' ' << cache << '\n';
    cache.put("c", 33);
    std::cout << cache << '\n';
    std::unordered_map<int, unsigned long long> memo;
    std::cout << ways(90, memo) << ' ' << memo.size() << '\n';
    {
        Id first, second;
        auto third = std::make_unique<Id>();
        std::cout << first.value + second.value + third->value << '\n';
    }
    std::cout << '\n' << (timer.seconds() >= 0 && timer.seconds() < 60) << std::endl;
}
