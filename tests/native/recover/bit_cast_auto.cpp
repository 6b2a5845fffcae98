// The type of a bit cast is an argument of the template around it.
#include <cstdio>
template <class T, class U> int hi(U u) { auto t = __builtin_bit_cast(T, u); return (int)(t >> 32); }
int main() { printf("%x\n", hi<unsigned long>(1.0)); }
