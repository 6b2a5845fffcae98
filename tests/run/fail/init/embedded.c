// What `#embed` puts into a list is known where clang makes a string of it, and nowhere else.
// revisions: string arguments numbers more member local
// flags: -std=c23
#include <stdio.h>

static int sum(int a, int b, int c) { return a + b + c; }

#if defined(REV_string)
static const char text[] = {
#embed "embedded.txt"
};
static unsigned char room[8] = {
#embed "embedded.txt"
};
#elif defined(REV_numbers)
static const int numbers[] = {
#embed "embedded.txt"
}; //[numbers]~^ DIAGNOSTIC unsupported: `#embed` in a list
#elif defined(REV_more)
static const char text[] = {
# embed "embedded.txt"
    , 0}; //[more]~^ DIAGNOSTIC unsupported: `#embed` in a list
#elif defined(REV_member)
struct Parts { int a; unsigned char b[3]; } parts = {
#embed "embedded.txt" limit(4)
}; //[member]~^ DIAGNOSTIC unsupported: `#embed` in a list
#endif

int main(void) {
#if defined(REV_string)
    printf("%.5s %zu %s\n", text, sizeof text, (const char *)room);
#elif defined(REV_arguments)
    printf("%d\n", sum(
#embed "embedded.txt" limit(3)
    ));
    int one =
#embed "embedded.txt" limit(1)
    ;
    printf("%d\n", one);
#elif defined(REV_numbers)
    printf("%d\n", numbers[1]);
#elif defined(REV_more)
    puts(text);
#elif defined(REV_member)
    printf("%d\n", parts.b[1]);
#else
    int numbers[] = {
        1,
#embed "embedded.txt"
    }; //[local]~^ DIAGNOSTIC unsupported: `#embed` in a list
    printf("%d\n", numbers[1]);
#endif
    return sum(0, 0, 0);
}
