// What members of an instance begin with.
#include <cstdio>
template <class T> struct P { T a = 5; T b{6}; T* p = nullptr; };
template <class T> struct Q { P<T> in; T c = 7; Q() {} };
template <class T> struct S : P<T> { T d = 8; };
int main() { P<int> p; Q<int> q; S<int> s; std::printf("%d %d %d %d %d %d %d %d\n", p.a, p.b, p.p == nullptr, q.in.a, q.c, s.a, s.b, s.d); }
