// What depends on a declaration that is not supported is not told again.
#include <cstdio>

enum class Red { x };
enum class Blue { x };

struct Enums {
    operator Red() const { return Red::x; }
    operator Blue() const { return Blue::x; }
};

int main()
{
    Enums e;
    int first = 1;
    Red list[] = {e}, other = Red::x, *third = &other; //~ DIAGNOSTIC unsupported: this Enums, whose conversion function libclang does not show
    std::printf("%d %d\n", (int)list[0], first);
    std::printf("%d\n", (int)other);
    auto use = [&] { return third; };
    std::printf("%d\n", (int)*use());
}
