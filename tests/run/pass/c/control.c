/* Statements: if, loops, switch with fall-through, goto, break and continue at depth, the comma. */
#include <stdio.h>

static int classify(int n) {
    switch (n) {
    case 0:
        return 100;
    case 1:
    case 2:
        n += 10;
        /* fall through */
    case 3:
        n += 1;
        break;
    default:
        n = -1;
        break;
    case 7: {
        int inner = n * 2;
        return inner;
    }
    case 'a' ... 'c':
        return 1000 + n;
    }
    return n;
}

static int duff(int count) {
    int n = (count + 3) / 4, done = 0;
    switch (count % 4) {
    case 0:
        do {
            done++;
        case 3:
            done++;
        case 2:
            done++;
        case 1:
            done++;
        } while (--n > 0);
    }
    return done;
}

static int nested(void) {
    int count = 0;
    for (int i = 0; i < 5; i++) {
        if (i == 1) continue;
        for (int j = 0;; j++) {
            if (j == i) break;
            switch (j) {
            case 2:
                continue;
            default:
                break;
            }
            count += 10 * i + j;
        }
        while (1) {
            count++;
            if (count % 2) goto next;
        }
    next:;
    }
    return count;
}

static int jump(int n) {
    int total = 0;
again:
    if (n <= 0) goto done;
    total += n--;
    goto again;
done:
    return total;
}

static int computed(int which) {
    static void *labels[] = {&&zero, &&one, &&two};
    goto *labels[which];
zero:
    return 10;
one:
    which += 5;
two:
    return which;
}

int main(void) {
    for (int i = 0; i < 9; i++) printf("%d ", classify(i));
    printf("%d\n", classify('b'));
    for (int i = 1; i < 10; i++) printf("%d ", duff(i));
    printf("\n%d %d\n", nested(), jump(10));
    int i, j;
    for (i = 0, j = 10; i < j; i++, j--)
        ;
    printf("%d %d\n", i, j);
    do {
        i++;
        if (i == 7) continue;
    } while (i < 8);
    printf("%d\n", i);
    int k = (i = 3, i + 1);
    printf("%d %d\n", k, i ? k > 3 ? 1 : 2 : 3);
    if (0)
        printf("no\n");
    else if (k == 4)
        printf("yes\n");
    else
        printf("no\n");
    for (;;) {
        if (++k > 10) break;
    }
    while (k-- > 5)
        if (k == 7) break;
    printf("%d\n", k);
    printf("%d %d %d\n", computed(0), computed(1), computed(2));
    int calls = 0;
    (calls++, 0) && calls++;
    (calls++, 1) || calls++;
    printf("%d\n", calls);
    switch (3) {
        int unreachable;
    case 3:
        unreachable = 5;
        printf("%d\n", unreachable);
    }
    return 0;
}
