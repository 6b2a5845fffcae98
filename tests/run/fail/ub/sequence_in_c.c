// C orders less than C++17: an assignment's sides and a call's arguments.
// revisions: assigned indexed arguments fine
#include <stdio.h>

static int sum(int a, int b) { return a + b; }

int main(int argc, char **argv) {
    int a[8] = {0}, i = argc;
    (void)argv;
#if defined(REV_assigned)
    i = i++; //[assigned]~ ERROR undefined-behavior: `i` is modified twice
#elif defined(REV_indexed)
    a[i] = i++; //[indexed]~ ERROR undefined-behavior: `i` is modified and used
#elif defined(REV_arguments)
    a[0] = sum(i, ++i); //[arguments]~ ERROR undefined-behavior: `i` is modified and used
#else
    i = i + 1;
    a[i++] = 5;
    a[3] = i++ && i++;
    a[4] = (i++, i);
    a[5] = i > 2 ? i++ : i--;
    a[6] = sum(a[1]++, a[3]++);
    printf("%d %d %d %d %d\n", a[2], a[4], a[5], a[6], i);
#endif
    return 0;
}
