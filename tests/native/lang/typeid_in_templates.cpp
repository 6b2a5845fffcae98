// `typeid` of names that several namespaces have, in templates.
#include <cstdio>
#include <typeinfo>
namespace a { struct A {}; template <class T> struct X { T t; X() {} }; enum E { e }; }
namespace b { struct A {}; struct BA {}; template <class T> struct X { T t; X() {} void self() { printf("%s %s\n", typeid(X).name(), typeid(X<T>).name()); } }; enum E { e };
  template <class T> void tb() { printf("%s %s %s %s %s\n", typeid(A).name(), typeid(A *).name(), typeid(const A).name(), typeid(T).name(), typeid(T *).name()); printf("%s\n", typeid(E).name()); }
  template <class T> void tx() { X<T> x; printf("%s %s\n", typeid(X<T>).name(), typeid(x).name()); x.self(); }
}
struct A {}; enum E { e0 }; template <class T> struct X { T t; X() {} };
template <class T> void t() { printf("%s %s %s\n", typeid(A).name(), typeid(b::A).name(), typeid(T).name()); printf("%s %s\n", typeid(A *).name(), typeid(const A *).name()); }
namespace b { void xb() { X<int> mine; printf("%s\n", typeid(X<int>).name()); printf("%s\n", typeid(::X<BA>).name()); ::X<BA> y; } }
namespace a { void xa() { printf("%s\n", typeid(X<int>).name()); X<int> mine; } void xaa() { X<A> m; ::X<A> n; printf("%s %s %s\n", typeid(X<A>).name(), typeid(m).name(), typeid(n).name()); } }
void xg() { printf("%s\n", typeid(X<int>).name()); X<int> x; }
namespace b { void xbb() { printf("%s\n", typeid(X<A>).name()); X<A> m; printf("%s\n", typeid(X<::A>).name()); X<::A> n; } }
int main() {
  b::tb<::A>(); b::tb<a::A>(); b::tb<b::A>(); t<A>(); t<a::A>(); t<b::A>(); b::tb<E>(); b::tb<a::E>();
  b::xb(); a::xa(); a::xaa(); xg(); b::xbb();
  a::X<b::A> ab; a::X<::A> ag; b::tx<int>(); b::tx<A>(); b::tx<b::A>();
}
