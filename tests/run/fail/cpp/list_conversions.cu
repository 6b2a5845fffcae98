// Where the types do not tell which conversion function an element of a list calls, that is said.
// revisions: enums template_ virtual_ one
#include <cstdio>

enum class Red { x };
enum class Blue { x };

struct Enums {
    operator Red() const { return Red::x; }
    operator Blue() const { return Blue::x; }
};
struct Made {
    template <class T> operator T() const { return T(4); }
};
struct Base {
    virtual operator int() const { return 5; }
};
struct Derived : Base {
    operator int() const override { return 6; }
};
struct One {
    explicit operator Blue() const { return Blue::x; }
    operator Red() const { return Red::x; }
};

int main()
{
#if defined(REV_enums)
    Enums e;
    Red list[] = {e}; //[enums]~ DIAGNOSTIC unsupported: this Enums, whose conversion function libclang does not show
#elif defined(REV_template_)
    Made e;
    int list[] = {e}; //[template_]~ DIAGNOSTIC unsupported: this Made, whose conversion function libclang does not show
#elif defined(REV_virtual_)
    Derived d;
    Base &e = d;
    int list[] = {e}; //[virtual_]~ DIAGNOSTIC unsupported: this Base, whose conversion function libclang does not show
#else
    One e;
    Red list[] = {e};
#endif
    std::printf("%d\n", (int)list[0]);
}
