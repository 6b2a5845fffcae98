// Several static variables of one declaration in a function: each is initialised when control first passes.
#include <cstdio>
int f1(int k) { static int a = k, c = k + 1; return a * 10 + c; }
int f2(int k) { static int a = 5, c = k + 1; return a * 10 + c; }
int f3(int k) { static int a, c = k + 1; return a * 10 + c; }
int f4(int k) { static int c = k + 1, a; return a * 10 + c; }
int f5(int k) { static int c = 4, a = c; return a * 10 + c; }
template <class T> int f6(T k) { static T c = 4, a = k; return a * 10 + c; }
int f7(int k) { thread_local int c = 4, a = k; return a * 10 + c; }
int g(int k) { return k; } int x = g(2), y = g(3); static int z = g(3), w = g(4); struct M { static int p, q; }; int M::p = g(7), M::q = g(8);
int main() { printf("%d %d %d %d %d %d %d %d %d %d %d %d %d\n", f1(3), f2(3), f3(3), f4(3), f5(3), f6(7), f7(8), x, y, z, w, M::p, M::q); }
