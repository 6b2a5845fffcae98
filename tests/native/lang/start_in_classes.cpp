// Static members and friends with the attributes `constructor` and `destructor`.
#include <cstdio>
#define CONSTRUCTOR __attribute__((constructor))
#define DESTRUCTOR __attribute__((destructor))
CONSTRUCTOR static void first() { printf("first\n"); }
DESTRUCTOR static void ends_last() { printf("ends last\n"); }
struct Outer {
    CONSTRUCTOR static void in_class() { printf("in class\n"); }
    DESTRUCTOR static void ends_in_class() { printf("ends in class\n"); }
    [[gnu::constructor(200)]] static void early() { printf("early\n"); }
    struct Inner {
        CONSTRUCTOR static void nested() { printf("nested\n"); }
    };
    CONSTRUCTOR static void outside();
    CONSTRUCTOR friend void of_friend() { printf("friend\n"); }
    static void without() { printf("never\n"); }
};
namespace {
union Either {
    int i;
    CONSTRUCTOR static void of_union() { printf("union\n"); }
};
} // namespace
CONSTRUCTOR static void between() { printf("between\n"); }
void Outer::outside() { printf("outside\n"); }
DESTRUCTOR static void ends_first() { printf("ends first\n"); }
template <class T> struct Unused {
    CONSTRUCTOR static void never() { printf("never %zu\n", sizeof(T)); }
    int member;
};
template <class T> CONSTRUCTOR void unused() { printf("never %zu\n", sizeof(T)); }
static int started = printf("variable\n");

int main() {
    Unused<int> object{1};
    printf("main %d %d\n", object.member, started);
    return 0;
}
