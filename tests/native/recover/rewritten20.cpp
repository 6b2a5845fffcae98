// std: c++20
// An aggregate in parentheses behind a macro.
#include <cstdio>

struct Aggr {
    int a;
    double b = 2.5;
};

int main() {
#define S Aggr pa(7);
    S
#define P (8, 1.5)
    Aggr pb P;
    Aggr* pc = new Aggr P;
    std::printf("%d %g %d %g %d %g\n", pa.a, pa.b, pb.a, pb.b, pc->a, pc->b);
    delete pc;
    return 0;
}
