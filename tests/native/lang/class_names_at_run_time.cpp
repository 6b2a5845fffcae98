// Names of classes at run time: of templates, of functions, with letters that names of members have.
#include <cstdio>
#include <typeinfo>
#include <stdexcept>
namespace mine { namespace std { struct exception { virtual ~exception() {} int x = 1; }; struct bad_alloc : exception {}; struct string {}; struct type_info {}; } 
 struct N { struct std { struct E {}; }; }; }
namespace St { struct E {}; struct exception {}; }
namespace N { struct E {}; template <class T> struct E2 { E2() {} ~E2() {} }; }
struct N3 { struct E {}; };
struct CN { struct EN { ~EN() {} }; template <class T> struct NE { NE(T) {} ~NE() {} }; };
namespace { struct Hidden {}; }
struct x_GLOBAL__N_ {};
template <class T> struct C2E { C2E() {} ~C2E() {} struct D1Ev { D1Ev() {} ~D1Ev() {} }; };
template <class T> struct D2Ev { int v; };
template <int N> struct Num { struct in {}; };
template <class T> void thrower(int which) {
    struct Local { T t; }; struct ENd {};
    auto lam = [](T t) { return t; };
    switch (which) {
        case 0: throw mine::std::exception();
        case 1: throw mine::std::bad_alloc();
        case 2: throw St::exception();
        case 3: throw N::E2<T>();
        case 4: throw CN::NE<T>(T());
        case 5: throw C2E<T>();
        case 6: throw typename C2E<T>::D1Ev();
        case 7: throw D2Ev<T>();
        case 8: throw Local();
        case 9: throw lam;
        case 10: throw ENd();
        case 11: throw Num<3>::in();
        case 12: throw Num<-3>();
        case 13: throw mine::N::std::E();
        case 14: throw Hidden();
        case 15: throw x_GLOBAL__N_();
        case 16: throw CN::EN();
    }
    printf("%s %s %s\n", typeid(Local).name(), typeid(ENd).name(), typeid(lam).name());
}
int main() {
    for (int i = 0; i < 17; i++) {
        try { thrower<int>(i); }
        catch (std::bad_alloc &) { printf("std bad_alloc\n"); }
        catch (std::exception &) { printf("std\n"); }
        catch (mine::std::bad_alloc &) { printf("%d mine ba\n", i); }
        catch (mine::std::exception &) { printf("%d mine\n", i); }
        catch (St::exception &) { printf("%d St\n", i); }
        catch (N::E2<long> &) { printf("%d NO\n", i); }
        catch (N::E2<int> &) { printf("%d E2\n", i); }
        catch (CN::NE<int> &) { printf("%d NE\n", i); }
        catch (C2E<long> &) { printf("%d NO\n", i); }
        catch (C2E<long>::D1Ev &) { printf("%d NO\n", i); }
        catch (C2E<int> &) { printf("%d C2E\n", i); }
        catch (C2E<int>::D1Ev &) { printf("%d D1\n", i); }
        catch (D2Ev<long> &) { printf("%d NO\n", i); }
        catch (D2Ev<int> &) { printf("%d D2\n", i); }
        catch (Num<2>::in &) { printf("%d NO\n", i); }
        catch (Num<3>::in &) { printf("%d in\n", i); }
        catch (Num<3> &) { printf("%d NO\n", i); }
        catch (Num<-3> &) { printf("%d -3\n", i); }
        catch (mine::N::std::E &) { printf("%d N::std::E\n", i); }
        catch (Hidden &) { printf("%d H\n", i); }
        catch (x_GLOBAL__N_ &) { printf("%d x\n", i); }
        catch (CN::EN &) { printf("%d EN\n", i); }
        catch (...) { printf("%d other\n", i); }
    }
    thrower<int>(99); thrower<long>(99);
    printf("%s %s %s %s %s\n", typeid(mine::std::exception).name(), typeid(mine::std::string).name(), typeid(St::E).name(), "-", "-");
    printf("%s %s %s %s\n", "-", typeid(Num<3>::in).name(), "-", "-");
    printf("%s %s\n", typeid(Hidden).name(), typeid(std::exception).name());
}
