// A bit cast with comments between its tokens.
#include <cstdio>
int main() { float f = 1.5f; printf("%x\n", __builtin_bit_cast(/* int */ unsigned, f)); }
