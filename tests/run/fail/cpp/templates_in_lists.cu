// Which instance of a function template an initialiser list means libclang does not show. Of several of the wanted type
// none is taken.
// revisions: specialised two function member fine
#include <cstdio>

template <int N = 0> int add(int x) { return N + x; }
#ifdef REV_specialised
template <> int add<1>(int x) { return 100 + x; }
#endif
int twice(int x) { return 2 * x; }
template <class T> T twice(T x) { return x + x; }
struct Class {
    template <class T> static T thrice(T x) { return 3 * x; }
};
typedef int (*Function)(int);

int main() {
#if defined(REV_specialised)
    int n = add<0>(1);
    Function list[] = {add<1>}; //[specialised]~ DIAGNOSTIC unsupported: a name of several functions here
#elif defined(REV_two)
    int n = 0;
    Function list[] = {add<1>, add<2>}; //[two]~ DIAGNOSTIC unsupported: a name of several functions here
#elif defined(REV_function)
    int n = twice<int>(1);
    Function list[] = {twice}; //[function]~ DIAGNOSTIC unsupported: a name of several functions here
#elif defined(REV_member)
    int n = 0;
    Function list[] = {Class::thrice}; //[member]~ DIAGNOSTIC unsupported: a name of several functions here
#else
    int n = 0;
    Function list[] = {add<3>, twice};
#endif
    std::printf("%d\n", list[0](n));
    return 0;
}
