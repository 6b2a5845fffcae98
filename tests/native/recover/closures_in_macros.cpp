// Closures that one macro makes, or that are its arguments, are of different types.
#include <cstdio>
#include <typeinfo>

#define TWO(a, b) ((a) != (b))
#define ID [](int x) { return x; }
#define BOTH TWO(typeid(ID), typeid(ID))
template <class F> struct W { F f; W(F g) : f(g) {} virtual int id() { return 0; } virtual ~W() {} };
template <class F> W<F> *w(F f) { return new W<F>(f); }
template <class F, class G> bool same(F f, G g) { auto a = w(f); auto b = w(g); bool r = typeid(*a) == typeid(*b); delete a; delete b; return r; }
template <class F> void thrower(F f) { throw f; }
template <class F, class G> int which(F f, G g) { try { thrower(f); } catch (G) { return 2; } catch (F) { return 1; } return 0; }
int main() {
  printf("%d %d\n", same([] {}, [] {}), TWO(same([] { return 1; }, [] { return 2; }), false));
  printf("%d\n", which([](int) {}, [](int) {}));
#define ALL printf("%d\n", which([](char) {}, [](char) {})); auto l = [](char) {}; printf("%d\n", which(l, l));
  ALL
#define L [](float) {}
  printf("%d %d\n", which(L, L), same(L, L));
}
