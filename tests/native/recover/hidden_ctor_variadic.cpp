// A constructor in a list that takes `...`.
#include <cstdio>
struct G { int k; G(long long) : k(2) {} G(...) : k(3) {} };
int main() { G g[] = {5LL, "x"}; for (auto &x : g) printf("%d ", x.k); puts(""); }
