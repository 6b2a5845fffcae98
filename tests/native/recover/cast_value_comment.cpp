// A comment with `&` in a cast to a value.
#include <cstdio>
struct A { int v = 0; A() {} A(const A &o) : v(o.v) { printf("copy "); } };
struct D : A {};
void set(const A &a) { const_cast<A &>(a).v = 5; }
int main() { D d; set(static_cast<A /*&*/>(d)); printf("%d\n", d.v); }
