// Loops of the host that run as machine code leave to the bytecode where something is wrong, and the bytecode tells of it; the
// near misses are silent.
// run-flags: --engine jit
// revisions: bounds below uninit freed scope null zero least shift overflow row part called near
#include <cstdlib>

struct Pair {
    char tag;
    int value;
};

static int table[8];

__attribute__((noinline)) static int weigh(const int *a, int i) {
#ifdef REV_called
    return a[i + 1] * 2; //[called]~ ERROR out-of-bounds
#else
    return a[i] * 2;
#endif
}

int main() {
    const int n = 1000;
    int *a = (int *)malloc(n * sizeof(int));
    int sum = 0, one = 1;
    for (int i = 0; i < n; i++) {
#if defined(REV_bounds)
        a[i + (i == n - 1)] = i; //[bounds]~ ERROR out-of-bounds
#elif defined(REV_below)
        a[i == 700 ? -1 : i] = i; //[below]~ ERROR out-of-bounds
#elif defined(REV_uninit)
        if (i != 500) a[i] = i;
#else
        a[i] = i;
#endif
    }
    for (int i = 0; i < n; i++) {
#if defined(REV_uninit)
        sum += a[i]; //[uninit]~ ERROR uninitialized-read
#elif defined(REV_freed)
        if (i == 600) free(a);
        sum += a[i]; //[freed]~ ERROR use-after-free
#elif defined(REV_null)
        int *p = i == 600 ? nullptr : a;
        sum += *p; //[null]~ ERROR null-dereference
#elif defined(REV_zero)
        sum += a[i] / (600 - i); //[zero]~ ERROR undefined-behavior
#elif defined(REV_least)
        int low = i == 600 ? -2147483647 - one : i;
        sum += low % (i == 600 ? -one : 7) > 5; //[least]~ ERROR undefined-behavior
#elif defined(REV_shift)
        sum += a[i] << (i == 600 ? 32 * one : 1); //[shift]~ ERROR undefined-behavior
#elif defined(REV_overflow)
        sum += a[i] * (i == 600 ? 2147483647 : 1); //[overflow]~ WARNING undefined-behavior
#else
        sum += a[i];
#endif
    }
    a[500] = 500;
    int *kept = a;
    for (int i = 0; i < n; i++) {
        int local[4];
        for (int k = 0; k < 4; k++) local[k] = i + k;
#if defined(REV_scope)
        if (i == 600) kept = local;
        sum += kept[0] + local[i & 3]; //[scope]~ ERROR use-after-free
#elif defined(REV_row)
        sum += local[i == 600 ? 4 : i & 3]; //[row]~ ERROR out-of-bounds
#else
        sum += kept[0] + local[i & 3];
#endif
    }
    Pair from[4], to[4];
    for (int i = 0; i < 4; i++) {
        from[i].tag = 'a';
#ifdef REV_part
        if (i != 3) from[i].value = i;
#else
        from[i].value = i;
#endif
    }
    for (int i = 0; i < 4; i++) to[i] = from[i];
    for (int i = 0; i < 4; i++) sum += to[i].value; //[part]~ ERROR uninitialized-read
    for (int i = 0; i < n; i++) {
        table[i & 7] += weigh(a, i) & 0xff;
        sum += table[(i + 1) & 7] & 1;
    }
#ifndef REV_freed
    free(a);
#endif
    return sum == 2147483647;
}
