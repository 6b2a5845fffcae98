#include <typeinfo>
namespace { struct E { double d = 2; }; int hidden() { return 11; } template <class T> int tmpl(T) { return 20 + hidden(); } struct V { virtual int v() { return 200; } }; int counter = 6; }
static int stat() { return 12; } static int table[] = {3, 4}; static inline int si() { static int n = 70; return ++n; }
inline int shared() { static int n = 40; return n++; } template <class T> int inst(T) { static int n = 50; return n++; }
struct Shared { virtual ~Shared() {} virtual int id() { return 7; } static inline int total = 60; }; struct DS : Shared { int id() override { return 8; } };
int b_all() { Shared::total++; shared(); inst(1); return hidden() * 1000000 + tmpl(1) * 10000 + V().v() * 10 + counter + stat() + table[1] + si(); }
void b_throw(int k) { if (k == 0) throw E(); if (k == 1) throw DS(); throw [] { return 1; }; }
const std::type_info &b_type() { return typeid(E); } Shared *b_shared() { static DS s; return &s; } int b_lambda() { auto l = [] { return 4; }; return l(); } int (*b_fn)() = [] { return shared() * 100 + inst(2); };
