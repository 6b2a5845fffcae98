// Classes and functions that have the names of the library's, without being the library's: in namespaces of that name and outside of them.
#include <cstdio>
#include <utility>
namespace mine { namespace std {
int calls;
template <class T> T move(T x) { calls++; return x + 1; }
template <class T> T forward(T x) { calls += 10; return x + 2; }
struct type_info { int x; };
template <class A, class B> struct pair { B second; A first; pair(A a, B b) : second(b), first(a) {} 
  template <int I> int get() const { return I == 0 ? first * 100 : second * 100; } };
} }
namespace std {
template <> struct tuple_size<mine::std::pair<int, int>> { static constexpr size_t value = 2; };
template <size_t I> struct tuple_element<I, mine::std::pair<int, int>> { using type = int; };
}
namespace user { template <class T> T move(T x) { return x * 2; } }
int main() {
    printf("%d ", mine::std::move(4)); printf("%d ", mine::std::forward(5)); printf("%d\n", mine::std::calls);
    mine::std::pair<int, int> p(1, 2); auto [a, b] = p; printf("%d %d\n", a, b);
    printf("%d\n", user::move(8));
}
