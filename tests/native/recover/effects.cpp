// Values that do not stand for their trees: what an initialiser, a default argument or a capture does besides.
#include <cstdio>

int calls;
int f() { return ++calls; }
constexpr int twice(int x) { return 2 * x; }

const int listed[] = {(f(), 1), (f(), 2)};
bool decided = (f(), true) || f();
int chosen = true ? (f(), 7) : f();
int constant = twice(4);
double real = (f(), 0.5);
struct P {
    int x, y;
} pair = {(f(), 3), 4};
int with_default(int a = (f(), 6)) { return a; }

int main()
{
    std::printf("%d\n", calls);
    std::printf("%d %d %d %d %g %d\n", listed[1], decided, chosen, constant, real, pair.x + pair.y);
    std::printf("%d ", with_default());
    std::printf("%d\n", calls);
    const int c = (f(), 8);
    auto g = [=] { return c; };
    std::printf("%d %d\n", g(), calls);
    int d = sizeof(f());
    std::printf("%d %d\n", d, calls);
    if ((f(), false)) std::puts("no");
    while ((f(), false)) std::puts("no");
    std::printf("%d\n", calls);
}
