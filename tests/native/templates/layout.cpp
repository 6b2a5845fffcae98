// The size of instances with bases, virtual ones among them.
template <class T> struct A { T a[2]; };
template <class T, class U> struct B : A<U>, virtual A<char> { T b; ~B() {} };
struct C : B<int, double> { int c; };
template <class T> struct V { struct Impl : T { int* p; }; Impl i; };
int main() { B<int, double> x; C c; V<C> v; return sizeof x + sizeof c + sizeof v; }
