// Closures of variables that stand outside of functions.
#include <cstdio>
auto gl = [n = 5](auto x) mutable { n += x; return n; };
int k = 3;
auto gk = [k = k](auto x) { return k + x; };
auto gs = [n = 5](int x) mutable { n += x; return n; };
namespace q { static auto h = [p = 2, r = 4L](auto... x) { return p * r + sizeof...(x); }; }
struct S { static inline auto m = [z = 8](auto x) { return z - x; }; };
int main() { auto ll = [n = 6](auto x) mutable { n += x; return n; }; static auto st = [w = 1](auto x) { return w + x; }; printf("%d %d\n", ll(1), st(2)); printf("%d\n", gs(1)); printf("%d %d %d %d\n", gl(1), gk(1), (int)q::h(1, 2), S::m(1)); }
