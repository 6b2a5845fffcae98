// std: c++20
// First parts of `switch` and range-based `for` that libclang does not show: several variables, none of them named
// behind it, in macros, in templates, with destructors.
#include <cstdio>
#include <vector>

struct Guard {
    const char* name;
    explicit Guard(const char* n) : name(n) { std::printf("+%s ", name); }
    ~Guard() { std::printf("-%s ", name); }
};
int calls;
int count() { return ++calls; }
#define SWITCH(init, x) switch (init; x)

template <class T> int in_template(T x)
{
    switch (Guard g("t"); T y = x) {
    case 1: return 10 + y;
    default: return 20;
    }
}

int main()
{
    switch (int a = count(), b = count(); 1) {
    case 1: std::printf("%d\n", calls);
    }
    SWITCH(Guard g("m"), 2) {
    case 2: std::puts("two");
    }
    std::puts("");
    std::printf("%d\n", in_template(1));
    std::printf("%d\n", in_template(2L));
    for (Guard g("r"); int x : std::vector<int>{1, 2}) std::printf("%d ", x);
    std::puts("");
    for (std::vector<int> v{3, 4}; int& x : v) std::printf("%d ", x);
    std::puts("");
}
