// The right operand of an assignment comes before the left one, overloaded or not.
#include <cstdio>
#include <map>
#include <string>
#include <vector>

static int turn;
static int next(const char *what) { std::printf("%s %d\n", what, ++turn); return turn; }

struct Value {
    int n = 0;
    Value() = default;
    Value(int v) : n(v) {}
    Value(const Value &) = default;
    Value &operator=(const Value &o) { n = o.n; return *this; }
    Value &operator+=(const Value &o) { n += o.n; return *this; }
    Value &operator<<=(int by) { n <<= by; return *this; }
};
struct Free { int n = 0; };
static Free &operator*=(Free &f, int by) { f.n = f.n * 10 + by; return f; }
struct Defaulted { std::string text; int n = 0; };
struct Base { int n = 0; virtual Base &operator=(int v) { n = v; return *this; } virtual ~Base() = default; };
struct Derived : Base { using Base::operator=; Base &operator=(int v) override { n = -v; return *this; } };

static Value values[4];
static Value &left() { next("left"); return values[0]; }
static Value right() { return Value(next("right")); }
static Free free_one;
static Free &left_free() { next("left"); return free_one; }
static Defaulted defaulted[2];
static Defaulted &left_defaulted() { next("left"); return defaulted[0]; }
static const Defaulted &right_defaulted() { next("right"); return defaulted[1]; }
static Derived derived;
static Base &left_base() { next("left"); return derived; }

static std::vector<int> grown;
static int push() { grown.reserve(grown.capacity() * 2 + 100); grown.push_back(7); return 9; }

int main()
{
    left() = right();
    left() += right();
    left() <<= next("right");
    left_free() *= next("right");
    left_defaulted() = right_defaulted();
    left_base() = next("right");
    std::printf("%d %d %d\n", values[0].n, free_one.n, derived.n);
    std::map<int, std::string> m;
    m[1] = std::to_string(m.size());
    m[2] += std::to_string(m.size());
    std::printf("%s %s\n", m[1].c_str(), m[2].c_str());
    // Where the right side moves what the left side names.
    grown.push_back(1);
    std::vector<std::string> names(1);
    auto add = [&] { names.emplace_back("more"); return std::string("kept"); };
    std::string text = "a";
    (text += text) += text;
    grown[0] = push();
    std::printf("%d %zu %s\n", grown[0], grown.size(), text.c_str());
    add();
    names[0] = add();
    std::printf("%s %zu\n", names[0].c_str(), names.size());
    // By a chain, from the right.
    left() = left() = right();
    // Called by its name it is a call as any other: the object comes first.
    left().operator=(right());
    // Other operators go from left to right.
    std::printf("%d\n", (next("one") << next("two")) > 0);
}
