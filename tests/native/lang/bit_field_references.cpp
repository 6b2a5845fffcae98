// A reference to a bit-field is one to a temporary with its value.
#include <algorithm>
#include <cstdio>
#include <tuple>
#include <utility>
#include <vector>

enum class Kind : unsigned char { none, one, two };
struct Packed {
    int a : 3;
    unsigned b : 5;
    int pad : 24;
    unsigned long long wide : 40;
    Kind kind : 4;
    bool flag : 1;
};
struct Holder { const int &held; const unsigned &other; };
struct Base { unsigned x : 7; };
struct Derived : Base { unsigned y : 9; };

static unsigned by_reference(const unsigned &u) { return u + 1; }
template <class T> static int size_of(const T &t) { return static_cast<int>(sizeof t) + (t != T()); }
static const unsigned &same(const unsigned &u) { return u; }

struct Made {
    unsigned n : 6;
    unsigned m : 10;
    auto get() const { const unsigned &r = n; return r + 0u; }
};

int main()
{
    Packed p{2, 17, 0, 1ull << 36, Kind::two, true};
    const int &a = p.a;
    const unsigned &b = p.b;
    const auto &wide = p.wide;
    const Kind &kind = p.kind;
    const bool &flag = p.flag;
    const long &converted = p.a;
    p.a = 1;
    p.b = 3;
    p.wide = 5;
    p.kind = Kind::one;
    p.flag = false;
    std::printf("%d %u %llu %d %d %ld\n", a, b, static_cast<unsigned long long>(wide), static_cast<int>(kind), flag, converted);
    std::printf("%u %u %d\n", by_reference(p.b), std::max<unsigned>(p.b, 3u), size_of(p.kind));
    std::printf("%u %d\n", same(p.b), std::min<int>(p.a, 2));
    std::vector<unsigned> all;
    all.push_back(p.b);
    all.insert(all.begin(), p.b + 1);
    all.emplace_back(static_cast<unsigned>(p.b));
    std::printf("%u %u %u\n", all[0], all[1], all[2]);
    Holder h{p.a, p.b};
    const int &chosen = (p.flag ? p.pad : p.a);
    p.a = 3;
    p.b = 30;
    std::printf("%d %u %d\n", h.held, h.other, chosen);
    const int &assigned = (p.a = -1);
    const int &counted = ++p.a;
    const unsigned &last = (p.a, p.b);
    p.a = 2;
    p.b = 1;
    std::printf("%d %d %u\n", assigned, counted, last);
    const Packed constant{1, 2, 3, 4, Kind::one, true};
    auto pair = std::make_pair(static_cast<int>(constant.a), static_cast<unsigned>(constant.b));
    std::printf("%d %u\n", pair.first, pair.second);
    Derived d{{100}, 300};
    const unsigned &x = d.x, &y = d.y;
    d.x = 1;
    d.y = 2;
    std::printf("%u %u\n", x, y);
    Made made{33, 1000};
    std::printf("%u\n", made.get());
    auto by_lambda = [&](const unsigned &u) { made.m = 1; return u; };
    std::printf("%u\n", by_lambda(made.m));
    auto [n, m] = made;
    made.n = 1;
    const unsigned &bound = n;
    std::printf("%u %u\n", bound, static_cast<unsigned>(m));
    // What is no bit-field is not copied.
    struct { int whole; int part : 4; } q{1, 2};
    const int &whole = q.whole;
    q.whole = 9;
    int &written = q.whole;
    written = 10;
    std::printf("%d\n", whole);
}
