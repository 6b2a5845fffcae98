// `new` of a name for an array type that depends on a template argument.
#include <cstdio>
typedef int A3[3];
template <class T> auto mk() { return new T(); }
int main() { auto s = mk<A3>(); s[2] += 4; printf("%d\n", s[2]); delete[] s; }
