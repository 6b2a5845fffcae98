// Entities of one name in two files: hidden ones are different ones, shared ones the same, also at run time.
// also: aux/same_names.cpp
#include <cstdio>
#include <typeinfo>
namespace { struct E { int n = 1; }; int hidden() { return 1; } template <class T> int tmpl(T) { return 10 + hidden(); } struct V { virtual int v() { return 100; } }; int counter = 5; }
static int stat() { return 2; } static int table[] = {1, 2}; static inline int si() { static int n = 0; return ++n; }
inline int shared() { static int n = 40; return n++; } template <class T> int inst(T) { static int n = 50; return n++; }
struct Shared { virtual ~Shared() {} virtual int id() { return 7; } static inline int total = 60; };
int b_all(); void b_throw(int); const std::type_info &b_type(); Shared *b_shared(); int b_lambda(); extern int (*b_fn)();
int main() {
    printf("%d %d %d %d %d %d %d\n", hidden(), tmpl(1), V().v(), counter, stat(), table[1], si()); printf("%d\n", b_all());
    for (int i = 0; i < 3; i++) try { b_throw(i); } catch (E &e) { printf("E %d\n", e.n); } catch (Shared &s) { printf("S %d\n", s.id()); } catch (...) { printf("other\n"); }
    printf("%d %d\n", typeid(E) == b_type(), typeid(Shared) == typeid(*b_shared())); printf("%d ", shared()); printf("%d ", inst(1)); printf("%d\n", b_fn()); printf("%d %d\n", dynamic_cast<Shared *>(b_shared()) != nullptr, Shared::total);
    auto l = [] { return 3; }; printf("%d %d\n", l(), b_lambda());
}
