// A variable of `switch (init; c)` that nothing names.
#include <cstdio>
int g = 0;
int touch() { return ++g; }
int main() { switch (int q = touch(); 3) { case 3: printf("%d\n", g); } }
