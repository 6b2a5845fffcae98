// `typeid` of names that several namespaces have.
#include <cstdio>
#include <typeinfo>
#include <vector>
#include <string>
namespace a { struct A {}; template <class T> struct X { T t; X() {} }; enum E { e }; typedef int Int; }
namespace b { struct A {}; template <class T> struct X { T t; X() {} }; enum E { e }; typedef long Int;
  void in_b() { printf("%s %s %s %s\n", typeid(A).name(), typeid(A *).name(), typeid(E).name(), typeid(Int).name()); }
  template <class T> void tb() { printf("%s %s %s %s %s\n", typeid(A).name(), typeid(A *).name(), typeid(const A).name(), typeid(T).name(), typeid(T *).name()); printf("%s %s\n", typeid(Int).name(), typeid(E).name()); }
}
struct A {}; enum E { e0 }; typedef char Int; template <class T> struct X { T t; X() {} };
template <class T> void t() { printf("%s %s %s %s\n", typeid(A).name(), typeid(b::A).name(), typeid(T).name(), typeid(Int).name()); printf("%s %s\n", typeid(A *).name(), typeid(const A *).name()); }
namespace b { void xb() { X<int> mine; printf("%s\n", typeid(X<int>).name()); } }
namespace a { void xa() { printf("%s\n", typeid(X<int>).name()); X<int> mine; } void xaa() { X<A> m; ::X<A> n; printf("%s %s %s\n", typeid(X<A>).name(), typeid(m).name(), typeid(n).name()); } }
void xg() { printf("%s\n", typeid(X<int>).name()); X<int> x; }
namespace b { void xbb() { printf("%s\n", typeid(X<A>).name()); X<A> m; printf("%s\n", typeid(X<::A>).name()); X<::A> n; } }
int main() {
  b::in_b(); b::tb<::A>(); b::tb<a::A>(); b::tb<b::A>(); t<A>(); t<a::A>(); t<b::A>(); b::tb<E>(); b::tb<a::E>(); b::tb<Int>();
  b::xb(); a::xa(); a::xaa(); xg(); b::xbb();
  a::X<b::A> ab; a::X<::A> ag; 
}
