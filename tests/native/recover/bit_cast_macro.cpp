// The type of a bit cast comes from a macro.
#include <cstdio>
#define BC(T, x) __builtin_bit_cast(T, x)
int main() { printf("%d\n", (int)BC(float, 0x3fc00000)  + (int)(BC(float, 0x3fc00000) * 2)); }
