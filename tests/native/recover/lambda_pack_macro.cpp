// The list of a lambda that captures a pack comes from a macro.
#include <cstdio>
#define ALL(x) &x...
template <class... T> int f(T... t) { auto l = [ALL(t)] { return ((t += 1) + ...); }; int r = l(); return r * 10 + (t + ...); }
int main() { int x = f(1, 2, 0); printf("%d %d\n", x / 10, x % 10 + 3); }
