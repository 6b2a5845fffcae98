// Modifications that nothing orders, in the bodies of macros: each is told once, where the macro is used.
#include <stdio.h>

#define ASSIGN i = i++ + 1
#define BEFORE a[0] = sum(i, ++i)
#define BEHIND a[1] = i++ + i
#define MEMBER s.n = a[2] + (s.n = 1)
#define COMPOUND i += i++
#define SET(to, from) to = from + i++
#define FINE (a[i++] = 5, a[3] = i++ && i++)

static int sum(int a, int b) { return a + b; }

int main(int argc, char **argv) {
    int a[8] = {0}, i = argc;
    struct {
        int n;
    } s = {2};
    (void)argv;
    ASSIGN; //~ ERROR undefined-behavior: `i` is modified twice
    BEFORE; //~ ERROR undefined-behavior: `i` is modified and used
    BEHIND; //~ ERROR undefined-behavior: `i` is modified and used
    MEMBER;
    COMPOUND; //~ ERROR undefined-behavior: `i` is modified and used
    SET(i, 2); //~ ERROR undefined-behavior: `i` is modified twice
    i = 0;
    FINE;
    printf("%d %d\n", i, s.n);
    return 0;
}
