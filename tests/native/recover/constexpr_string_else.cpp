// A string with `else` behind `if constexpr (false)`.
#include <cstdio>
constexpr bool orelse(int x) { return x > 5; }
#define NO_ELSE(c) (c)
int main() { if constexpr (orelse(3)) puts("no1"); if constexpr (NO_ELSE(false)) puts("no2"); if constexpr (false) { puts("no3 else"); } puts("."); }
