// std: c++20
// Default initialisers of bit-fields.
#include <cstdio>
struct Bf { unsigned a : 3 = 5; int b : 4 {-2}; bool c : 1; };
struct Bg { unsigned a : 3 = 5; Bg() {} };
struct Bh { int x = 1; int y; };
int main() { Bf bf{}; Bf bg{.c = true}; Bg h; Bf bi; std::printf("%u %d %u %d %d %u %u\n", bf.a, bf.b, bg.a, bg.b, bg.c, h.a, bi.a); Bf arr[2] = {{1}, {}}; std::printf("%u %d %u\n", arr[0].a, arr[0].b, arr[1].a); Bh b{.y = 4}; std::printf("%d\n", b.x); }
