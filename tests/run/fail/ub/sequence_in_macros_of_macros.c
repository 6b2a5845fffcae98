// Modifications that nothing orders, in macros in the arguments of macros: places in a file do not tell their tokens apart.
#include <stdio.h>

#define SAME(x) x
#define I i
#define INCREMENT i++
#define IN_ORDER (I++ && (c && (i = 2) + i))
#define OTHER_VARIABLE i++ + (j = 2)
#define NEVER_RUN i++ + i++ + (c ? i = 2 : 0)
#define BESIDE_CALL sum(i++, 1) + i

static int sum(int a, int b) { return a + b; }

int main(int argc, char **argv) {
    int i = argc, j = 1, c = 0, r = 0;
    (void)argv;
    r += IN_ORDER;
    r += OTHER_VARIABLE;
    SAME(I = INCREMENT); //~ ERROR undefined-behavior: `i` is modified twice
    SAME(SAME(I) SAME(+=) INCREMENT); //~ ERROR undefined-behavior: `i` is modified and used
    r += SAME(sum(INCREMENT, INCREMENT)); //~ ERROR undefined-behavior: `i` is modified twice
    r += SAME(BESIDE_CALL); //~ ERROR undefined-behavior: `i` is modified and used
    r += NEVER_RUN; //~ ERROR undefined-behavior: `i` is modified twice
#define CHAIN (i = 3) + i
    r += CHAIN; //~ ERROR undefined-behavior: `i` is modified and used
    printf("%d %d %d\n", i, j, r > 0);
    return 0;
}
