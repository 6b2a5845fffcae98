// What a loop of the host knows of an object before it begins is not all that is checked in it: alignment, rights, life,
// initialisation by the byte; and calls, direct and through pointers, leave where the bytecode would report.
// run-flags: --engine jit
// revisions: align below end readonly byte word first global dangling freed null type deep near
#include <cstdio>
#include <cstdlib>

typedef int (*Function)(int *, int);

__attribute__((noinline)) static int twice(int *p, int i) { return p[i] * 2; } //[freed]~ ERROR use-after-free
__attribute__((noinline)) static int thrice(int *p, int i) { return p[i] * 3; }
__attribute__((noinline)) static int next(int *p, int i) { return p[i + 1]; }
__attribute__((noinline)) static int less(int *p, int i) { return p[i] - 1; }
__attribute__((noinline)) static int minus(int *p, int i) { return -p[i]; }
static int other(int *p) { return *p; }

// It has a local variable in memory.
__attribute__((noinline)) static int *local(int *p, int i) {
    int own[2];
    own[i & 1] = p[i];
    own[~i & 1] = 1;
    int *volatile kept = own;
#ifdef REV_dangling
    return i == 900 ? kept : p;
#else
    return kept[0] > -5 ? p : kept;
#endif
}

__attribute__((noinline)) static int sum(int *p, int n) {
    int own[4] = {n, 0, 0, 0};
    for (int i = 1; i < 4; i++) own[i] = own[i - 1] + p[i];
#ifdef REV_deep
    if (n == 0) return own[p[0] + 4]; //[deep]~ ERROR out-of-bounds
#endif
    return n == 0 ? own[p[0]] : sum(p, n - 1) + own[3] % 2;
}

struct Part {
    char tag;
    int value;
};
static Part parts[4];

int main() {
    const int n = 1000;
    int *a = (int *)calloc(n + 2, sizeof(int)), all = 0;
    char *bytes = (char *)malloc(n);
#ifdef REV_readonly
    char *text = (char *)"text";
#else
    char text[] = "text";
#endif
    for (int i = 0; i < n; i++) {
#if defined(REV_align)
        int *p = (int *)((char *)a + (i == 700));
        p[i] = i; //[align]~ ERROR misaligned-access
#elif defined(REV_below)
        a[i == 700 ? -2147483647 : i] = i; //[below]~ ERROR out-of-bounds
#elif defined(REV_end)
        ((long long *)a)[i >> 1] = i;
        ((long long *)((char *)a + 8))[i == n - 1 ? n / 2 : 0] = i; //[end]~ ERROR out-of-bounds
#else
        a[i] = i;
#endif
    }
    for (int i = 0; i < n; i++) {
        all += text[i & 3];
#ifdef REV_readonly
        if (i == 600) text[1] = 'E'; //[readonly]~ ERROR read-only-write
#endif
#ifdef REV_byte
        if (i == 803) continue;
#endif
        bytes[i] = (char)i;
    }
    for (int i = 0; i < n; i++) all += bytes[i]; //[byte]~ ERROR uninitialized-read
    short *halves = (short *)malloc(n * sizeof(short));
    for (int i = 0; i < n; i++) {
#ifdef REV_word
        if (i != 501)
#endif
            halves[i] = (short)i;
    }
    for (int i = 0; i < n / 2; i++) all += ((int *)halves)[i] & 1; //[word]~ ERROR uninitialized-read
#ifdef REV_first
    int *one = (int *)malloc(sizeof(int) * 3);
    for (int i = 0; i < n; i++) {
        if (i > 0) one[i % 2] = i;
        all += one[i > 700 ? 2 : i > 0 ? i % 2 : 0]; //[first]~ ERROR uninitialized-read
    }
#endif
    // A copy that is not all initialised, to an object that was, takes that along.
    Part from[4];
    for (int i = 0; i < 4; i++) {
        from[i].tag = 'a';
#ifdef REV_global
        if (i != 3)
#endif
            from[i].value = i;
    }
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 4; i++) all += parts[i].tag;
        for (int i = 0; i < 4; i++) parts[i] = from[i];
    }
    for (int i = 0; i < 4; i++) all += parts[i].value; //[global]~ ERROR uninitialized-read

    for (int i = 0; i < n; i++) all += *local(a, i) & 1; //[dangling]~ ERROR use-after-free
    for (int i = 0; i < 20; i++) all += sum(a, i);

    Function functions[5] = {twice, thrice, next, less, minus};
    for (int i = 0; i < n; i++) {
        Function f = functions[i % 5];
#if defined(REV_null)
        if (i == 700) f = nullptr;
#elif defined(REV_type)
        if (i == 700) f = (Function)(void *)other;
#elif defined(REV_freed)
        if (i == 700) free(a);
#endif
        all += f(a, i) & 7; //[null,type]~ ERROR undefined-behavior
    }
    printf("%d\n", all);
#ifdef REV_first
    free(one);
#endif
#ifndef REV_freed
    free(a);
#endif
    free(bytes);
    free(halves);
    return 0;
}
