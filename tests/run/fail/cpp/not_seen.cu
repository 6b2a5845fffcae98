// What libclang shows nothing of is refused, not passed over: a caller's line, a first part of a statement that nothing
// names, and what stands for them that is shown.
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
    switch (Guard guard; 1) { //[init]~ DIAGNOSTIC unsupported: a first part of a statement
    case 1: std::puts("one");
    }
#else
    switch (Guard guard; guard.kind) {
    case 1: std::puts("one");
    }
    std::printf("%d\n", __builtin_LINE());
#endif
}
