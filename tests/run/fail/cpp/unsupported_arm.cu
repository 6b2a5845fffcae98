// Where one arm of a conditional is not supported, the others say so, too: none of them ends in something else.
// revisions: first second logical call
#include <cstdio>

const char *name(int n)
{
    return n ? "x" : __builtin_FUNCTION(); //[first,second]~ DIAGNOSTIC unsupported: the name of the caller's file or function
}

bool logical(int n)
{
    return n && (n > 1 || __builtin_FUNCTION()); //[logical]~ DIAGNOSTIC unsupported: the name of the caller's file or function
}

int call(int n)
{
    return n ? n + (n > 1 ? 2 : 3) : (n < 0 ? std::printf("%s", __builtin_FUNCTION()) : 4); //[call]~ DIAGNOSTIC unsupported: the name
}

int main(int argc, char **)
{
#if defined(REV_first)
    std::puts(name(argc));
#elif defined(REV_second)
    std::puts(name(argc - 1));
#elif defined(REV_logical)
    std::printf("%d\n", logical(argc + 1));
#else
    std::printf("%d\n", call(argc));
#endif
}
