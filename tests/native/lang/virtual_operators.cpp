// Operators that are virtual, called as operators: which function runs hangs on the object.
#include <cstdio>
#include <initializer_list>

struct Number {
    int value = 0;
    explicit Number(int v) : value(v) {}
    Number(const Number &) = default;
    virtual ~Number() = default;
    virtual int operator()(int x) const { return x + value; }
    virtual int operator[](int i) const { return value + i; }
    virtual int operator+(const Number &other) const { return value + other.value; }
    virtual int operator-() const { return -value; }
    virtual bool operator==(const Number &other) const { return value == other.value; }
    virtual Number &operator=(const Number &other) { value = other.value; return *this; }
    virtual Number &operator+=(int x) { value += x; return *this; }
    virtual Number &operator++() { ++value; return *this; }
    virtual int operator++(int) { return value++; }
    virtual int operator*() const { return value; }
    virtual const Number *operator->() const { return this; }
    virtual int operator,(int x) const { return x + value; }
    virtual bool operator!() const { return value == 0; }
    virtual int operator<<(int x) const { return value << x; }
    int twice(int x) const { return (*this)((*this)(x)); }
};

struct Loud : Number {
    using Number::Number;
    int operator()(int x) const override { return 100 + x * value; }
    int operator[](int i) const override { return 200 + value + i; }
    int operator+(const Number &other) const override { return 300 + value + other.value; }
    int operator-() const override { return 400 - value; }
    bool operator==(const Number &other) const override { return value != other.value; }
    Number &operator=(const Number &other) override { value = 500 + other.value; return *this; }
    Number &operator+=(int x) override { value += 600 + x; return *this; }
    Number &operator++() override { value += 700; return *this; }
    int operator++(int) override { value += 800; return value; }
    int operator*() const override { return 900 + value; }
    const Number *operator->() const override { static const Loud other(7); return &other; }
    int operator,(int x) const override { return 1000 + x + value; }
    bool operator!() const override { return true; }
    int operator<<(int x) const override { return 1100 + x; }
};

// The operator is a second base's, so that the object moves.
struct First { long filler = 1; virtual ~First() = default; };
struct Callable { virtual int operator()(int) const = 0; virtual ~Callable() = default; };
struct Both : First, Callable {
    int add = 5;
    int operator()(int x) const override { return x + add; }
};
struct Virtual : virtual Callable {
    int add = 6;
    int operator()(int x) const override { return x + add; }
};

struct Step { virtual Step &operator+=(int) { std::puts("step"); return *this; } virtual ~Step() = default; };
struct Jump final : Step { Jump &operator+=(int n) override { std::printf("jump %d\n", n); return *this; } };

// While an object is made, it is of the class whose constructor runs.
struct Made {
    Made() { std::printf("made %d\n", (*this)()); }
    virtual ~Made() { std::printf("ended %d\n", (*this)()); }
    virtual int operator()() const { return 1; }
};
struct MadeMore : Made { int operator()() const override { return 2; } };

static int apply(const Callable &c, int x) { return c(x); }

template <class T> static int called(T &t) { return t(3); }

int main()
{
    Loud loud(3);
    Number plain(3);
    for (Number *n : {static_cast<Number *>(&loud), &plain}) {
        Number &r = *n;
        std::printf("%d %d %d %d %d\n", r(2), r[2], r + plain, -r, r == plain);
        std::printf("%d %d %d %d %d\n", *r, r->value, (r, 4), !r, r << 1);
        std::printf("%d %d\n", r.twice(2), called(r));
        ++r;
        int before = r.value;
        std::printf("%d %d\n", before, r++);
        r += 4;
        std::printf("%d\n", r.value);
        r = plain;
        std::printf("%d %d\n", r.value, r.Number::operator()(1));
    }
    // Of a variable of the class itself nothing is to be found out.
    std::printf("%d %d\n", loud(1), plain(1));
    Both both;
    Virtual v;
    std::printf("%d %d %d %d\n", apply(both, 1), apply(v, 1), both(2), v(2));
    Jump jump;
    Step &step = jump;
    (step += 1) += 2;
    MadeMore more;
    std::printf("%d\n", static_cast<Made &>(more)());
}
