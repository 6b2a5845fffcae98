// libclang does not tell when an instance of a template runs before `main`: an explicit one runs where it stands,
// another behind all else. cudair refuses both.
#include <cstdio>
#define NAME constructor
template <int = 0> __attribute__((constructor)) void of_function() {} //~ DIAGNOSTIC unsupported: the attribute `constructor` of a template
template <int = 0> __attribute__((noinline, NAME)) void by_macro() {} //~ DIAGNOSTIC unsupported: the attribute `constructor` of a template
template <int = 0> [[gnu::noinline]] [[__gnu__::__destructor__]] void at_end() {} //~ DIAGNOSTIC unsupported: the attribute `destructor` of a template
template <class T> struct Class {
    __attribute__((constructor(200))) static void in_class() {} //~ DIAGNOSTIC unsupported: the attribute `constructor` of a template
    __attribute__((destructor)) static void outside();
    __attribute__((constructor)) static void unused() {}
    static void plain() { printf("plain\n"); }
};
template <class T> void Class<T>::outside() {} //~ DIAGNOSTIC unsupported: the attribute `destructor` of a template
template <class T> void specialised() {}
template <> __attribute__((constructor)) void specialised<int>() {} //~ DIAGNOSTIC unsupported: the attribute `constructor` of a template
// Near misses: nothing of them is instantiated, or they say something else.
template <int = 0> __attribute__((constructor)) void unused() {}
template <int = 0> __attribute__((noinline)) void constructor_of() {}

int main() {
    of_function<>();
    by_macro<>();
    at_end<>();
    Class<int>::in_class();
    Class<int>::outside();
    Class<int>::plain();
    constructor_of<>();
    return 0;
}
