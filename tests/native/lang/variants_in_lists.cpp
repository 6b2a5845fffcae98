// Objects written in full as elements of lists for members that convert them.
#include <variant>
#include <cstdio>
struct Num {
    double v;
};
struct Bin {
    char op;
};
struct Expr {
    std::variant<Num, Bin> v;
};
int main() {
    double d = 2;
    Expr e = Expr{Num{d}};
    Expr f{Bin{'x'}};
    printf("%zu %zu\n", e.v.index(), f.v.index());
}
