// `typeid` of a pointer whose star is a macro.
#include <cstdio>
#include <typeinfo>
#define PTR *
int main() { puts(typeid(int PTR).name()); }
