// An exception that nothing catches ends the program where it is thrown, before any destructor runs; caught it says nothing.
// revisions: class derived scalar text pointer rethrown noexcept destructor terminate library handled_library caught
#include <cstdio>
#include <exception>
#include <stdexcept>

struct T {
    ~T() { printf("~T\n"); }
};
struct Mine : std::runtime_error {
    Mine() : std::runtime_error("mine") {}
};
struct Loud {
    ~Loud() {
#ifdef REV_destructor
        throw 3; //[destructor]~ ERROR assertion-failed: an exception leaves `~Loud`, which is `noexcept`: it is of type `int`
#endif
    }
};

static void raise(int n) {
    T t;
#ifdef REV_class
    throw std::out_of_range("too far"); //[class]~ ERROR assertion-failed: an uncaught exception of type `std::out_of_range`, which says: too far
#elif defined REV_derived
    throw Mine(); //[derived]~ ERROR assertion-failed: an uncaught exception of type `Mine`, which says: mine
#elif defined REV_scalar
    throw n; //[scalar]~ ERROR assertion-failed: an uncaught exception of type `int`
#elif defined REV_text
    throw "text"; //[text]~ ERROR assertion-failed: an uncaught exception of type `const char *`
#elif defined REV_pointer
    throw &t; //[pointer]~ ERROR assertion-failed: an uncaught exception of type `T *`
#elif defined REV_library
    char* p = new char[~size_t(0) / n]; //[library]~ ERROR assertion-failed: an uncaught exception of type `std::bad_alloc`, which says: std::bad_alloc
    delete[] p;
#elif defined REV_handled_library
    try {
        char* p = new char[~size_t(0) / n];
        delete[] p;
    } catch (const std::bad_alloc& e) {
        printf("%s\n", e.what());
    }
#elif defined REV_caught
    throw n;
#endif
}
static void quiet(int n) noexcept {
#ifdef REV_noexcept
    throw n; //[noexcept]~ ERROR assertion-failed: an exception leaves `quiet`, which is `noexcept`: it is of type `int`
#endif
}

int main() {
    printf("begin\n");
#ifdef REV_caught
    try {
#else
    try {
        throw 'c';
    } catch (char) {
    }
    try {
        Loud loud;
#endif
        raise(5);
        quiet(5);
#ifdef REV_rethrown
        try {
            throw 1; //[rethrown]~ ERROR assertion-failed: an uncaught exception of type `int`
        } catch (int) {
            throw;
        }
#endif
#ifdef REV_terminate
        std::terminate(); //[terminate]~ ERROR assertion-failed: the program calls `std::terminate`
#endif
#ifdef REV_caught
    } catch (int n) {
        printf("caught %d\n", n);
    }
#else
    } catch (short) {
    }
#endif
    return 0;
}
