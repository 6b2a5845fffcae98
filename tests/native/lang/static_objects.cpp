// Objects of static storage: made once, destroyed at the end in reverse, made again after an initialiser that threw.
#include <cstdio>
#include <cstdlib>
#include <string>
struct T { int n; T(int n) : n(n) { printf("+%d\n", n); } ~T() { printf("-%d\n", n); } };
struct Pair { T a, b; };
static T first(1);
T second(first.n + 1);
static const T& bound = T(3);
static Pair pair{T(4), T(5)};
static T row[2] = {T(6), T(7)};
static const std::string text = std::string("a text that is long enough for the heap ") + "and more";
struct Holder { static T member; };
T Holder::member(8);
static T& once(int n) { static T local(n); return local; }
static int attempts;
struct Fails { T t; Fails() : t(50 + attempts) { if (++attempts < 3) throw attempts; } ~Fails() { printf("~Fails\n"); } };
static Fails& tried() { static Fails f; return f; }
static void at_end() { printf("at exit %d\n", second.n); }
inline T shared(9);
int main() {
    printf("main %d %d %zu %d\n", bound.n, row[1].n, text.size(), Holder::member.n);
    atexit(at_end);
    printf("%d ", once(20).n);
    printf("%d\n", once(21).n);
    for (int i = 0; i < 4; ++i) try { printf("tried %d\n", tried().t.n); } catch (int n) { printf("caught %d\n", n); }
    static T inside(30);
    T automatic(40);
    if (attempts == 3) exit(5);
    return 0;
}
