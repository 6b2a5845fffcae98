// A variable ends with its scope in functions with labels too, where no jump passes its declaration.
// revisions: behind unused left looped cases fine
#include <stdio.h>

#if defined(REV_behind)
static int f(int k) {
    int *p;
    {
        int x = k;
        p = &x;
    }
    if (k > 5) goto end;
    return *p; //[behind]~ ERROR use-after-free
end:
    return 0;
}
#elif defined(REV_unused)
static int f(int k) {
    int *p = &k;
again:
    if (p != &k) return *p; //[unused]~ ERROR use-after-free
    {
        int x = k;
        p = &x;
        goto again;
    }
}
#elif defined(REV_left)
static int f(int k) {
    int *p = 0;
    for (int i = 0; i < 2; i++) {
        int x[4] = {k, k, k, k};
        p = x;
        if (i == 1) goto out;
    }
out:
    return p[1]; //[left]~ ERROR use-after-free
}
#elif defined(REV_looped)
static int f(int k) {
    int n = 0;
again:;
    int x;
    if (n == 1) return x; //[looped]~ ERROR uninitialized-read
    x = k;
    n++;
    goto again;
}
#elif defined(REV_cases)
static int f(int k) {
    int *p = 0;
    for (int i = 0; i < 2; i++) {
        switch (i) {
        case 0:
            if (k) break;
        default:;
            int x = k;
            p = &x;
        }
        if (p) return *p; //[cases]~ ERROR use-after-free
    }
    return 0;
}
#else
// What jumps pass and lead into.
static int f(int k) {
    int sum = 0, *p = &sum;
    goto inside;
    {
        int x;
    inside:
        x = k;
        p = &x;
        sum += *p;
    }
    switch (k) {
        int y;
    case 3:
        y = 4;
        sum += y;
        int z = 5;
        sum += z;
        break;
    default:
        z = 6;
        sum += z;
    }
    switch (k) {
        do {
            int w;
        case 3:
            w = k--;
            sum += w;
        } while (k > 0);
    }
    int passed = ({
        goto later;
        int v = 3;
    later:
        v = 8;
        v;
    });
    static void *const to[] = {&&first, &&second, &&third};
    int n = 0;
    goto *to[n];
first: {
    int a = 1, *q = &a;
    sum += *q;
    goto *to[++n];
}
second:;
    int b = 2;
    sum += b;
    if (n++ < 4) goto *to[n > 3 ? 2 : 1];
third:
    b = 1;
    sum += b;
    return sum + passed;
}
#endif

int main(void) {
    printf("%d\n", f(3));
    return 0;
}
