// A class template's virtual functions and destructor, through its base.
#include <cstdio>
struct Base { virtual int f() { return 1; } virtual ~Base() { std::printf("~Base\n"); } };
template <class T> struct D : Base { T v; D(T v) : v(v) {} int f() override { return 2; } ~D() override { std::printf("~D\n"); } };
int main() { Base* b = new D<int>(3); std::printf("%d\n", b->f()); delete b; }
