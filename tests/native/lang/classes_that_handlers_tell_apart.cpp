// Handlers tell apart classes of one name, instances, closures and what functions declare.
#include <cstdio>
#include <typeinfo>
template <class T> struct P {};
template <class T, int N> struct Q {};
template <class... T> struct Pack;
namespace n { template <class T> struct In {}; struct Cl {}; namespace std { struct E {}; } inline namespace v { struct Inl {}; template <class T> struct InT { ~InT() {} }; } }
struct clE {}; struct E_cl {}; struct C1E { C1E() {} C1E(C1E *) {} ~C1E() {} struct D1Ev {}; };
template <class A> struct T1 { T1(C1E) {} T1(A, C1E *) {} };
static int which(int k) {
    if (k == 0) { struct A { int v; }; A a{1}; try { throw a; } catch (A &) { return 10; } }
    if (k == 1) { struct A { float v; }; A a{1}; try { throw a; } catch (A &) { return 11; } }
    return 12;
}
static int cross(int k) {
    try {
        { struct A { int v; }; if (k == 0) throw A{1}; }
        { struct A { float v; A(float f) : v(f) {} }; if (k == 1) throw A(2); }
        { struct A { struct B {}; }; if (k == 2) throw A::B(); }
    } catch (int) { return 0; } catch (...) { return 1; }
    return 2;
}
int main() {
    try { throw (P<int> *)nullptr; } catch (P<long> *) { puts("NO"); } catch (P<int> *) { puts("P<int>"); }
    try { throw (Q<int, 3> *)nullptr; } catch (Q<int, 4> *) { puts("NO"); } catch (Q<int, -3> *) { puts("NO"); } catch (Q<int, 3> *) { puts("Q"); }
    try { throw (n::In<int> *)nullptr; } catch (n::In<char> *) { puts("NO"); } catch (n::In<int> *) { puts("In"); }
    try { throw (n::Cl *)nullptr; } catch (n::std::E *) { puts("NO"); } catch (n::Cl *) { puts("Cl"); }
    try { throw n::InT<int>(); } catch (n::InT<long> &) { puts("NO"); } catch (n::InT<int> &) { puts("InT"); }
    try { throw T1<clE>(C1E()); } catch (T1<E_cl> &) { puts("NO"); } catch (T1<clE> &) { puts("T1"); }
    auto l1 = [](clE) {}; auto l2 = [](E_cl) {}; auto l3 = [](C1E *) { return 1; };
    try { throw l2; } catch (decltype(l1) &) { puts("NO"); } catch (decltype(l3) &) { puts("NO"); } catch (decltype(l2) &) { puts("l2"); }
    printf("%d %d %d %d %d\n", which(0), which(1), cross(0), cross(1), cross(2));
    printf("%s %s\n", typeid(P<int> *).name(), typeid(n::Cl *).name());
    n::InT<char> i; T1<int> t{C1E()}; printf("%s %s\n", typeid(i).name(), typeid(t).name());
    const std::type_info *k = nullptr; { struct A {}; k = &typeid(A); printf("%s\n", typeid(A).name()); } { struct A {}; printf("%d %s\n", *k == typeid(A), typeid(A).name()); } 
    { struct A { A() {} }; printf("%d %s\n", *k == typeid(A), typeid(A).name()); }
}
