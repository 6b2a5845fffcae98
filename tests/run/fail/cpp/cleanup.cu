// The parser prints the function of the attribute `cleanup` without its scope: of several of the name none is taken.
// revisions: space class_ qualified template_ local only
#include <cstdio>
#include <cstdlib>

static void clean(int *p) { std::printf("file %d\n", *p); }

#if defined(REV_space)
namespace inner {
static void clean(int *p) { std::printf("inner %d\n", *p); }
static void use()
{
    int n __attribute__((cleanup(clean))) = 1; //[space]~ DIAGNOSTIC unsupported: the attribute `cleanup` with `clean`, a name of several functions
}
}
#elif defined(REV_class_)
struct Inner {
    static void clean(int *p) { std::printf("Inner %d\n", *p); }
    static void use()
    {
        int n __attribute__((cleanup(clean))) = 1; //[class_]~ DIAGNOSTIC unsupported: the attribute `cleanup` with `clean`, a name of several functions
    }
};
#elif defined(REV_qualified)
namespace inner {
static void clean(int *p) { std::printf("inner %d\n", *p); }
}
static void use()
{
    int n __attribute__((cleanup(inner::clean))) = 1; //[qualified]~ DIAGNOSTIC unsupported: the attribute `cleanup` with `clean`, a name of several functions
}
#elif defined(REV_template_)
template <class T> void tidy(T *p) { std::printf("tidy %d\n", *p); }
static void use()
{
    int n __attribute__((cleanup(tidy<int>))) = 1; //[template_]~ DIAGNOSTIC unsupported: the attribute `cleanup` with `tidy`
}
#elif defined(REV_local)
static void use()
{
    struct Local {
        static void clean(int *p) { std::printf("local %d\n", *p); }
    };
    int n __attribute__((cleanup(Local::clean))) = 1; //[local]~ DIAGNOSTIC unsupported: the attribute `cleanup` with `clean`, a name of several functions
}
#else
// Members that take an object or two arguments, and declarations of the same function, are no others.
static void clean(int *p);
struct Inner {
    void clean(int *) {}
    static void clean(int *, int) {}
};
namespace inner {
static void tidy(int *p) { std::printf("inner %d\n", *p); }
using ::clean;
struct Kept {
    static void drop(int *p) { std::printf("Kept %d\n", *p); }
};
}
static void use()
{
    int n __attribute__((cleanup(clean))) = 1;
    int m __attribute__((cleanup(inner::tidy))) = 2;
    int k __attribute__((cleanup(inner::Kept::drop))) = 3;
}
#endif

int main()
{
#if defined(REV_space)
    inner::use();
#elif defined(REV_class_)
    Inner::use();
#else
    use();
#endif
}
