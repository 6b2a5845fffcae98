// __builtin_bit_cast.
#include <cstdio>
struct P {
    short a, b;
};
template <class To, class From> constexpr To bc(const From& f) {
    return __builtin_bit_cast(To, f);
}
int main() {
    float f = 1.5f;
    unsigned u = __builtin_bit_cast(unsigned, f);
    printf("%x\n", u);
    printf("%x %g\n", bc<unsigned>(f), bc<float>(u));
    P p = bc<P>(0x10002u);
    printf("%d %d\n", p.a, p.b);
    printf("%x\n", bc<unsigned>(p));
    double d = 2;
    printf("%llx\n", bc<unsigned long long>(d));
    int* q = bc<int*>(&f);
    printf("%x\n", *q & 0);
}
