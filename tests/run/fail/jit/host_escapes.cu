// Local variables of functions that machine code calls: pointers to them that outlive them, their bytes of an earlier call, copies of
// them that are not all initialised, accesses that a helper does.
// run-flags: --engine jit
// revisions: given kept passed deeper stale scope union_ field odd_load odd_store beyond volatile_ indirect near
#include <cstdio>
#include <cstdlib>

// What is larger than so much stays a call.
static volatile int never;
#define SOME never = 1, never = 2, never = 3, never = 4, never = 5, never = 6, never = 7, never = 8, never = 9
#define LARGE if (never) SOME, SOME, SOME, SOME, SOME

static int *kept;
typedef int (*Function)(int, int *);

static int escapes(int n, int *p) {
    LARGE;
    int own[4] = {n, *p, 3, 4}; //[indirect]~ ERROR use-after-free
    kept = own;
    return own[n & 3];
}

static int *gives(int n, int *p) {
    LARGE;
    int own[2] = {n, 1};
    return n == 70 ? own : p;
}

static int reads(int n, int *p) {
    LARGE;
    int own[4] = {n, 1, 2, 3};
    for (int i = 0; i < 3; i++) own[i] += p[i & 1]; //[passed,deeper]~ ERROR use-after-free
    return own[n & 3];
}

static int through(int n, int *p) {
    LARGE;
    int own[2] = {n, 1};
    return reads(n, n < 0 ? own : p) + own[1];
}

// Whether it writes its variable hangs on the call: what the last call left there is not initialised.
static int sometimes(int writes) {
    LARGE;
    int own[3];
    int *volatile p = own;
    if (writes) own[0] = own[1] = 4;
    return own[1] + (p == nullptr); //[stale]~ ERROR uninitialized-read
}

static int in_scope(int n, int at) {
    LARGE;
    int sum = 0;
    for (int i = 0; i < n; i++) {
        int inner[3], *p = inner;
        if (i != at) p[0] = i;
        sum += p[0]; //[scope]~ ERROR uninitialized-read
    }
    return sum;
}

union Either {
    double real;
    int whole;
    char tag;
};
static Either eithers[8];
struct Two {
    short a, b;
};
struct Pair {
    int a, b;
};

int main() {
    int x = 5, sum = 0;
    // Each starts at another address.
    Two *twos = (Two *)calloc(8, sizeof(Two));
    Pair *pairs = (Pair *)calloc(8, sizeof(Pair)), *others = (Pair *)calloc(8, sizeof(Pair));
    Pair to = {1, 2};
    Function functions[2] = {escapes, reads};
    int own[4] = {1, 2, 3, 4};
    for (int i = 0; i < 100; i++) {
        bool now = i == 70;
        int pair[2] = {i, 1};
        sum += escapes(i, &x) + reads(i, pair) + sometimes(1) + in_scope(4, -1) + through(i, pair);
#if defined(REV_given)
        sum += *gives(i, pair); //[given]~ ERROR use-after-free
#elif defined(REV_kept)
        int *p = now ? kept : pair;
        sum += p[0]; //[kept]~ ERROR use-after-free
#elif defined(REV_passed)
        sum += reads(i, now ? kept : pair);
#elif defined(REV_deeper)
        sum += through(i, now ? kept : pair);
#elif defined(REV_stale)
        sum += sometimes(!now);
#elif defined(REV_scope)
        sum += in_scope(4, now ? 2 : -1);
#elif defined(REV_union_)
        Either e;
        e.tag = 'a';
        if (!now) e.real = i;
        Either f = e;
        eithers[i & 7] = f;
        sum += eithers[i & 7].tag;
        sum += eithers[i & 7].real > 3.0; //[union_]~ ERROR uninitialized-read
#elif defined(REV_field)
        Two t;
        t.a = (short)i;
        if (!now) t.b = 2;
        twos[i & 7] = t;
        sum += twos[i & 7].b; //[field]~ ERROR uninitialized-read
#elif defined(REV_odd_load)
        Two t = *(Two *)((char *)twos + (now ? 1 : 2)); //[odd_load]~ ERROR misaligned-access
        sum += t.a;
#elif defined(REV_odd_store)
        Two t = {1, 2};
        *(Two *)((char *)twos + (now ? 1 : 2)) = t; //[odd_store]~ ERROR misaligned-access
#elif defined(REV_beyond)
        // So far away begins another object's range.
        to = pairs[now ? (1L << 29) + 1 : i & 7]; //[beyond]~ ERROR out-of-bounds
        sum += to.a;
#elif defined(REV_volatile_)
        *(volatile int *)((char *)own + (now ? 2 : 4)) = i; //[volatile_]~ ERROR misaligned-access
#elif defined(REV_indirect)
        sum += functions[i & 1](i & 3, now || i == 71 ? kept : pair);
#else
        sum += *gives(i == 70 ? 0 : i, pair) + functions[i & 1](i & 3, pair) + own[3] + to.a;
#endif
        if (pair[0] != i || pair[1] != 1 || own[0] != 1) printf("another variable was written\n");
    }
    free(twos);
    free(pairs);
    free(others);
    return sum == -1;
}
