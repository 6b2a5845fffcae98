// Instances as members, bases, locals of a block and on the heap are destroyed.
#include <cstdio>
template <class T> struct Guard { const char* n; Guard(const char* n) : n(n) {} ~Guard() { std::printf("-%s\n", n); } };
struct Two { Guard<int> a{"a"}; Guard<long> b{"b"}; };
template <class T> struct Wrap { Guard<T> g{"wrapped"}; };
struct Der : Guard<char> { Der() : Guard<char>("base") {} };
int main() { Two t; Wrap<int> w; Der d; { Guard<int> x("x"); } Guard<int>* h = new Guard<int>("heap"); delete h; std::printf("end\n"); }
