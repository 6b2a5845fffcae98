// Names of function templates in initialiser lists, whose instances the types choose.
#include <cstdio>

template <int = 0> int scale(int x) { return 2 * x; }
template <int = 0> int scale(double x) { return static_cast<int>(3 * x); }
template <class T> T half(T x) { return x / 2; }
namespace inner {
template <class T> T third(T x) { return x / 3; }
} // namespace inner
template <class T> T special(T x) { return x + 2; }
template <> int special(int x) { return x + 3; }
template <class T> int ordered(T x) { return 100 + x; }
template <class T> int ordered(T *x) { return 200 + *x; }
int plain(int x) { return x; }
double plain(double x) { return x; }

typedef int (*Function)(int);
struct Several {
    Function first;
    double (*second)(double);
    int (*third)(double);
    double (*fourth)(double);
};

int main() {
    Function list[] = {scale, plain, half, &inner::third, special, half<int>, (&scale<0>)};
    for (Function f : list)
        printf("%d ", f(9));
    Several s = {scale<>, plain, scale, half};
    printf("%d %g %d %g\n", s.first(3), s.second(2.5), s.third(2.5), s.fourth(5));
    static int (*const table[])(int *) = {ordered, nullptr};
    Function by_value[2] = {ordered};
    int seven = 7;
    printf("%d %d %d\n", table[0](&seven), by_value[0](seven), by_value[1] == nullptr);
    return 0;
}
