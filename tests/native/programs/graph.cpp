// Dijkstra, breadth-first search, topological order, union-find on small graphs.
#include <algorithm>
#include <functional>
#include <iostream>
#include <limits>
#include <numeric>
#include <optional>
#include <queue>
#include <set>
#include <string>
#include <tuple>
#include <vector>

struct Edge {
    int to;
    int weight;
};
using Graph = std::vector<std::vector<Edge>>;

std::vector<int> dijkstra(const Graph& g, int source, std::vector<int>& parent)
{
    std::vector<int> dist(g.size(), std::numeric_limits<int>::max());
    parent.assign(g.size(), -1);
    using Item = std::pair<int, int>;
    std::priority_queue<Item, std::vector<Item>, std::greater<Item>> queue;
    dist[source] = 0;
    queue.push({0, source});
    while (!queue.empty()) {
        auto [d, u] = queue.top();
        queue.pop();
        if (d > dist[u]) continue;
        for (const auto& [v, w] : g[u])
            if (dist[u] + w < dist[v]) {
                dist[v] = dist[u] + w;
                parent[v] = u;
                queue.emplace(dist[v], v);
            }
    }
    return dist;
}
std::optional<std::vector<int>> topological(const Graph& g)
{
    std::vector<int> in(g.size()), order;
    for (auto& edges : g)
        for (auto& e : edges) ++in[e.to];
    std::queue<int> ready;
    for (size_t i = 0; i < g.size(); i++)
        if (in[i] == 0) ready.push(i);
    for (; !ready.empty(); ready.pop()) {
        order.push_back(ready.front());
        for (auto& e : g[ready.front()])
            if (--in[e.to] == 0) ready.push(e.to);
    }
    if (order.size() != g.size()) return std::nullopt;
    return order;
}
class UnionFind {
    std::vector<int> parent;

public:
    explicit UnionFind(int n) : parent(n) { std::iota(parent.begin(), parent.end(), 0); }
    int find(int x) { return parent[x] == x ? x : parent[x] = find(parent[x]); }
    bool join(int a, int b)
    {
        a = find(a), b = find(b);
        if (a == b) return false;
        parent[a] = b;
        return true;
    }
};

int main()
{
    Graph g(8);
    std::vector<std::tuple<int, int, int>> edges{{0, 1, 4}, {0, 2, 1}, {2, 1, 2}, {1, 3, 5}, {2, 3, 8}, {3, 4, 3}, {5, 6, 1}, {6, 7, 2}};
    for (auto [a, b, w] : edges) g[a].push_back({b, w});
    std::vector<int> parent;
    auto dist = dijkstra(g, 0, parent);
    for (size_t i = 0; i < dist.size(); i++) {
        std::cout << i << ": ";
        if (dist[i] == std::numeric_limits<int>::max()) {
            std::cout << "unreachable\n";
            continue;
        }
        std::vector<int> path;
        for (int v = i; v != -1; v = parent[v]) path.push_back(v);
        std::reverse(path.begin(), path.end());
        std::cout << dist[i] << " by";
        for (int v : path) std::cout << ' ' << v;
        std::cout << '\n';
    }
    if (auto order = topological(g)) {
        for (int v : *order) std::cout << v << ' ';
        std::cout << '\n';
    }
    g[4].push_back({0, 1});
    std::cout << (topological(g) ? "acyclic" : "cyclic") << '\n';
    std::sort(edges.begin(), edges.end(), [](auto& a, auto& b) { return std::get<2>(a) < std::get<2>(b); });
    UnionFind uf(8);
    int total = 0;
    for (auto& [a, b, w] : edges)
        if (uf.join(a, b)) total += w;
    std::cout << total << '\n';
    std::function<void(int, std::set<int>&)> visit = [&](int v, std::set<int>& seen) {
        if (!seen.insert(v).second) return;
        for (auto& e : g[v]) visit(e.to, seen);
    };
    std::set<int> seen;
    visit(2, seen);
    for (int v : seen) std::cout << v << ' ';
    std::cout << std::endl;
}
