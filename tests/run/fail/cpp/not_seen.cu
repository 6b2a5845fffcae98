// What libclang shows nothing of is refused, not passed over: a caller's line, a first part of a statement that is an
// expression. The others show what is known.
// revisions: line init named
#include <cstdio>

struct Place {
    int line = __builtin_LINE(); //[line]~ DIAGNOSTIC unsupported: `__builtin_LINE` for a caller
};

struct Guard {
    Guard() { std::puts("enter"); }
    ~Guard() { std::puts("leave"); }
    int kind = 1;
};

int main()
{
#ifdef REV_line
    Place here{};
    std::printf("%d\n", here.line);
#elif defined(REV_init)
    int kind = 0;
    switch (kind = 1; 1) { //[init]~ DIAGNOSTIC unsupported: an init-statement here that declares no variables
    case 1: std::puts("one");
    }
#else
    switch (Guard guard; guard.kind) {
    case 1: std::puts("one");
    }
    std::printf("%d\n", __builtin_LINE());
#endif
}
