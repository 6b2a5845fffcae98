// Smart pointers, variants, allocators, iterators of ones own, errors, and more of the library.
#include <iostream>
#include <memory>
#include <string>
#include <vector>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <optional>
#include <any>
#include <functional>
#include <algorithm>
#include <numeric>
#include <list>
#include <array>
#include <tuple>
#include <string_view>
#include <stdexcept>
#include <system_error>
#include <cassert>
#include <cstring>
#include <iterator>
#include <utility>
#include <limits>
#include <shared_mutex>
#include <mutex>
#include <thread>
#include <atomic>
#include <condition_variable>
using namespace std;
struct Node : enable_shared_from_this<Node> {
    string n;
    vector<shared_ptr<Node>> kids;
    weak_ptr<Node> up;
    Node(string n) : n(move(n)) {
    }
    ~Node() {
        cout << '~' << n << ' ';
    }
    shared_ptr<Node> add(string k) {
        auto c = make_shared<Node>(move(k));
        c->up = shared_from_this();
        kids.push_back(c);
        return c;
    }
};
template <class... T> struct Visit : T... {
    using T::operator()...;
};
template <class... T> Visit(T...) -> Visit<T...>;
struct Expr;
using ExprP = unique_ptr<Expr>;
struct Num {
    double v;
};
struct Bin {
    char op;
    ExprP l, r;
};
struct Expr {
    variant<Num, Bin> v;
};
ExprP num(double d) {
    return make_unique<Expr>(Expr{Num{d}});
}
ExprP bin(char o, ExprP l, ExprP r) {
    return make_unique<Expr>(Expr{Bin{o, move(l), move(r)}});
}
double eval(const Expr& e) {
    return visit(Visit{[](const Num& n) { return n.v; }, [](const Bin& b) { double l = eval(*b.l), r = eval(*b.r); switch (b.op) { case '+': return l + r; case '*': return l * r; default: throw invalid_argument(string("op ") + b.op); } }}, e.v);
}
template <class T> struct Alloc {
    using value_type = T;
    int* n;
    Alloc(int* n) : n(n) {
    }
    template <class U> Alloc(const Alloc<U>& o) : n(o.n) {
    }
    T* allocate(size_t k) {
        ++*n;
        return static_cast<T*>(::operator new(k * sizeof(T)));
    }
    void deallocate(T* p, size_t) {
        --*n;
        ::operator delete(p);
    }
    template <class U> bool operator==(const Alloc<U>&) const {
        return true;
    }
    template <class U> bool operator!=(const Alloc<U>&) const {
        return false;
    }
};
struct H {
    size_t operator()(const pair<int, int>& p) const {
        return p.first * 31 + p.second;
    }
};
class Iter {
    int v;
    public:
    using iterator_category = forward_iterator_tag;
    using value_type = int;
    using difference_type = ptrdiff_t;
    using pointer = const int*;
    using reference = const int&;
    Iter(int v) : v(v) {
    }
    const int& operator*() const {
        return v;
    }
    Iter& operator++() {
        ++v;
        return *this;
    }
    Iter operator++(int) {
        Iter o = *this;
        ++v;
        return o;
    }
    bool operator==(const Iter& o) const {
        return v == o.v;
    }
    bool operator!=(const Iter& o) const {
        return v != o.v;
    }
};
struct Range {
    int a, b;
    Iter begin() const {
        return a;
    }
    Iter end() const {
        return b;
    }
};
int main() {
    {
        auto root = make_shared<Node>("root");
        auto k = root->add("k1");
        root->add("k2")->add("g");
        cout << root.use_count() << k.use_count() << k->up.lock()->n << '\n';
        root.reset();
        cout << k->up.expired() << '\n';
    }
    cout << '\n';
    auto e = bin('+', num(2), bin('*', num(3), num(4)));
    cout << eval(*e) << '\n';
    try {
        eval(*bin('?', num(1), num(2)));
    } catch (const exception& x) {
        cout << x.what() << '\n';
    }
    int n = 0;
    {
        vector<int, Alloc<int>> v(Alloc<int>{&n});
        v.assign({1, 2, 3});
        map<int, int, less<int>, Alloc<pair<const int, int>>> m(Alloc<pair<const int, int>>{&n});
        m[1] = 2;
        m[3] = 4;
        cout << n << v.size() << m.size() << '\n';
    }
    cout << n << '\n';
    unordered_map<pair<int, int>, string, H> um;
    um[{1, 2}] = "a";
    um.try_emplace({3, 4}, "b");
    cout << um.at({1, 2}) << um.count({9, 9}) << um.size() << '\n';
    for (auto it = um.begin(); it != um.end();) it = it->second == "a" ? um.erase(it) : next(it);
    cout << um.size() << '\n';
    cout << accumulate(Range{1, 5}.begin(), Range{1, 5}.end(), 0);
    for (int x : Range{7, 9}) cout << x;
    cout << *max_element(Range{1, 4}.begin(), Range{1, 4}.end()) << '\n';
    unique_ptr<FILE, int (*)(FILE*)> f(fopen("/dev/null", "r"), fclose);
    cout << (f != nullptr) << '\n';
    shared_ptr<int> arr(new int[3]{1, 2, 3}, default_delete<int[]>());
    auto alias = shared_ptr<int>(arr, arr.get() + 1);
    cout << *alias << arr.use_count() << '\n';
    auto ua = make_unique<string[]>(2);
    ua[1] = "x";
    cout << ua[0] << ua[1] << '\n';
    struct Del {
        void operator()(int* p) const {
            cout << "del" << *p << ' ';
            delete p;
        }
    };
    {
        unique_ptr<int, Del> a(new int(1)), b;
        b = move(a);
        cout << !a << (b ? 1 : 0) << ' ';
        b.reset(new int(2));
    }
    cout << '\n';
    optional<string> os;
    os.emplace(3, 'z');
    cout << *os << os->size() << (os > nullopt) << (os == "zzz") << '\n';
    os.reset();
    auto o2 = make_optional(5);
    swap(o2, *make_unique<optional<int>>(7));
    cout << *o2 << '\n';
    variant<monostate, int, string> v;
    cout << v.index();
    v = 3;
    cout << get<int>(v);
    v.emplace<2>("em");
    cout << *get_if<string>(&v) << (get_if<int>(&v) == nullptr) << '\n';
    variant<int, double> a1 = 1, a2 = 2.5;
    visit([](auto x, auto y) { cout << x + y << '\n'; }, a1, a2);
    tuple t{1, "two"s, 3.0};
    apply([](auto&... x) { ((cout << x << ','), ...); }, t);
    auto [p, q, r] = tuple_cat(tuple(1), make_pair(2, 'c'));
    cout << p + q << r << (tie(p, q) < make_tuple(1, 3)) << tuple_size_v<decltype(t)> << '\n';
    cout << get<string>(t) << '\n';
    string_view sv = "key=value";
    auto eq = sv.find('=');
    cout << sv.substr(0, eq) << '|' << sv.substr(eq + 1) << (sv < "kez") << '\n';
    array<array<int, 2>, 2> aa{{{1, 2}, {3, 4}}};
    cout << aa[1][0] << aa.size() << get<0>(aa)[1] << '\n';
    try {
        throw system_error(make_error_code(errc::permission_denied), "ctx");
    } catch (const system_error& x) {
        cout << x.what() << x.code().value() << (x.code() == errc::permission_denied) << '\n';
    }
    error_code ec = make_error_code(errc::io_error);
    cout << ec.message() << ec.category().name() << (bool)ec << '\n';
    list<int> l1{1, 3}, l2{2, 4};
    l1.merge(l2);
    for (int x : l1) cout << x;
    cout << l2.size() << '\n';
    vector<string> words{"b", "a", "c"};
    sort(words.rbegin(), words.rend());
    for (auto&& w : words) cout << w;
    auto joined = accumulate(next(words.begin()), words.end(), words[0], [](string a, const string& b) { return move(a) + "-" + b; });
    cout << joined << '\n';
    reference_wrapper<int> rw = n;
    rw.get() = 8;
    cout << n << '\n';
    auto mem = mem_fn(&string::size);
    cout << mem("abc"s) << '\n';
    function<void(int)> self = [&](int d) { if (d) { cout << d; self(d - 1); } };
    self(3);
    cout << '\n';
    cout << invoke(&Num::v, Num{4}) << is_invocable_v<decltype(self), int> << '\n';
    vector<vector<int>> g(3, vector<int>(2, 1));
    g[1][1] = 5;
    int s = 0;
    for (auto& row : g) s = accumulate(row.begin(), row.end(), s);
    cout << s << '\n';
    string big(1000, 'q');
    big.shrink_to_fit();
    cout << big.substr(995) << big.capacity() << '\n';
    string str = "a,b,,c";
    vector<string> parts;
    size_t pos = 0, nx;
    while ((nx = str.find(',', pos)) != string::npos) {
        parts.push_back(str.substr(pos, nx - pos));
        pos = nx + 1;
    }
    parts.push_back(str.substr(pos));
    cout << parts.size() << parts[2].empty() << stoi("12") + stod("0.5") << '\n';
    vector<int> dest;
    copy_if(istream_iterator<int>(), istream_iterator<int>(), back_inserter(dest), [](int) { return true; });
    transform(g.begin(), g.end(), back_inserter(dest), [](auto& x) { return x[1]; });
    for (int d : dest) cout << d;
    cout << clamp(15, 0, 10) << gcd(12, 18) << lcm(4, 6) << '\n';
    vector<int> ex(5);
    exclusive_scan(dest.begin(), dest.end(), ex.begin(), 0);
    cout << ex[2] << reduce(dest.begin(), dest.end()) << '\n';
    auto [mn, mx] = minmax({3, 1, 2});
    cout << mn << mx << '\n';
    shared_mutex sm;
    {
        shared_lock lk(sm);
    }
    {
        unique_lock lk(sm);
    }
    mutex m1, m2;
    scoped_lock both(m1, m2);
    atomic<int> at{5};
    int exp = 5;
    cout << at.compare_exchange_strong(exp, 7) << at.fetch_add(2) << at << '\n';
}
