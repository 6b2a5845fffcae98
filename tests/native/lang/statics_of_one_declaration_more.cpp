// The same, of classes and arrays.
#include <cstdio>
int f1(int k) { static int a = k; return a++; }
int f2(int k) { static int a = k, b[2] = {a, k}; return a++ + b[0]++ + b[1]; }
int f3(int k) { static int b[2] = {k, k}; return b[0]++ + b[1]; }
struct S { int a = 1; int b; }; int f4() { static S st; return st.a++; }
struct T { int a = 1; int b : 3, c : 5; mutable int m = 4; }; int f5() { static T st; return st.a++; }
int f6(int k) { static int a = k; static S st; return a++ + st.a++; }
int main() { int a = f1(3), b = f1(9); printf("%d %d ", a, b); a = f2(3), b = f2(9); printf("%d %d ", a, b); a = f3(3), b = f3(9); printf("%d %d ", a, b); a = f4(), b = f4(); printf("%d %d ", a, b); a = f5(), b = f5(); printf("%d %d ", a, b); a = f6(3), b = f6(9); printf("%d %d\n", a, b); }
