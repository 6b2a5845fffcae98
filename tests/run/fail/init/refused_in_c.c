// What cannot be told is refused: the name of a function or file, which of two functions ends a variable, what gcc and clang
// read apart.
// revisions: function file ends range generic
#include <stdio.h>

static void end(int *p) { printf("%d\n", *p); }
static void other(int *p) { printf("%d\n", -*p); }
static int called(int n) { return n; }

int main(void) {
#if defined(REV_function)
    const char *text = __builtin_FUNCTION(); //[function]~ DIAGNOSTIC unsupported: the name of the caller's file or function
    puts(text ? text : "none");
#elif defined(REV_file)
    puts(__builtin_FILE()); //[file]~ DIAGNOSTIC unsupported: the name of the caller's file or function
#elif defined(REV_ends)
    __attribute__((cleanup(end), cleanup(other))) int n = 1; //[ends]~ DIAGNOSTIC unsupported: several functions
    printf("%d\n", n);
#elif defined(REV_range)
    struct { int x, y; } pairs[3] = {[0 ... 1] = 3, 4}; //[range]~ DIAGNOSTIC unsupported: several items for each
    printf("%d\n", pairs[0].y);
#else
    long n = 1;
    int m = _Generic(n, __typeof__(n + 1): called(1), default: called(2)); //[generic]~ DIAGNOSTIC unsupported: a generic
    printf("%d\n", m);
#endif
    return end != other;
}
