/* Measures one function: libdevice's results and cudair's, in ulp from a reference in quadruple precision.

       measure NAME inputs FILE STRIDE    writes the arguments
       measure NAME compare FILE RESULTS  reads them and cudair's results, prints a line
       measure NAME compare FILE RESULTS THEIRS   the same with another's results in libdevice's place
       measure NAME record FILE COUNT     prints some of them with libdevice's results, all as bits

   Arguments are float patterns at a stride over the whole range with all exponents' edges, or doubles of all
   magnitudes; for several arguments, pairs of all and of near magnitudes. */
#include <math.h>
#include <quadmath.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef __float128 Q;
#define INF INFINITY

static const Q PI_Q = 3.14159265358979323846264338327950288Q;

static Q exp2_q(Q x) { return powq(2, x); }
static Q exp10_q(Q x) { return powq(10, x); }
static Q fdim_q(Q x, Q y) { return x != x ? x : y != y ? y : x > y ? x - y : 0; }
static Q logb_q(Q x) { return x == 0 ? -INF : isinfq(x) ? INF : x != x ? x : (Q)ilogbq(x); }
static Q sinpi_q(Q x) {
    if (isinfq(x) || x != x) return NAN;
    Q r = remainderq(x, 2);
    return fabsq(r) <= 0.5Q ? sinq(PI_Q * r) : copysignq(sinq(PI_Q * (1 - fabsq(r))), r);
}
static Q cospi_q(Q x) {
    if (isinfq(x) || x != x) return NAN;
    Q r = fabsq(remainderq(x, 2));
    return sinq(PI_Q * (0.5Q - r));
}
static Q norm_q(Q x, Q y, Q z, Q w) {
    if (isinfq(x) || isinfq(y) || isinfq(z) || isinfq(w)) return INF;
    return sqrtq(x * x + y * y + z * z + w * w);
}
static Q erfc_q(Q x) { return erfcq(x); }
/* The continued fraction far out. */
static Q erfcx_q(Q x) {
    if (x != x) return x;
    if (x < 12) return expq(x * x) * erfcq(x);
    if (x > 1e2000Q) return 0;
    Q f = x;
    for (int k = 120; k >= 1; k--) f = x + k / 2.0Q / f;
    return 1 / (f * sqrtq(PI_Q));
}
static Q normcdf_q(Q x) { return erfcq(-x / sqrtq(2)) / 2; }
/* Newton's iteration, on the logarithm in the tail. */
static Q erfcinv_q(Q x) {
    if (x != x || x < 0 || x > 2) return NAN;
    if (x == 0) return INF;
    if (x == 2) return -INF;
    if (x == 1) return 0;
    if (x > 1) return -erfcinv_q(2 - x);
    Q y = x > 0.3Q ? (1 - x) * 0.886Q : sqrtq(-logq(x * sqrtq(PI_Q) * sqrtq(-logq(x / 2))));
    for (int i = 0; i < 30; i++) {
        Q c = erfcq(y);
        Q slope = -2 / sqrtq(PI_Q) * expq(-y * y);
        Q step = x > 0.3Q ? (c - x) / slope : (logq(c) - logq(x)) * c / slope;
        y -= step;
        if (fabsq(step) < fabsq(y) * 1e-32Q) break;
    }
    return y;
}
static Q erfinv_q(Q x) {
    if (x != x || fabsq(x) > 1) return NAN;
    if (x == 0) return x;
    if (fabsq(x) > 0.7Q) return copysignq(erfcinv_q(1 - fabsq(x)), x);
    Q y = x * 0.886226925452758Q;
    for (int i = 0; i < 30; i++) {
        Q step = (erfq(y) - x) / (2 / sqrtq(PI_Q) * expq(-y * y));
        y -= step;
        if (fabsq(step) <= fabsq(y) * 1e-32Q) break;
    }
    return y;
}
static Q normcdfinv_q(Q p) { return p != p || p < 0 || p > 1 ? NAN : -sqrtq(2) * erfcinv_q(2 * p); }
/* ln|gamma| and gamma: the library's own lose digits near zeros and poles. Stirling's series behind the recurrence. */
static Q stirling(Q x) {
    static const Q b[][2] = {{1, 12}, {-1, 360}, {1, 1260}, {-1, 1680}, {1, 1188}, {-691, 360360}, {1, 156}, {-3617, 122400},
                             {43867, 244188}, {-174611, 125400}, {77683, 5796}, {-236364091, 1506960}};
    Q s = (x - 0.5Q) * logq(x) - x + 0.5Q * logq(2 * PI_Q), p = x;
    for (int i = 0; i < 12; i++, p *= x * x) s += b[i][0] / b[i][1] / p;
    return s;
}
static Q tgamma_q(Q x) {
    if (x != x || x == -INF) return NAN;
    if (x == INF) return INF;
    if (x == 0) return copysignq(INF, x);
    if (x < 0 && floorq(x) == x) return NAN;
    if (x < 0) return PI_Q / (sinpi_q(x) * tgamma_q(1 - x));
    Q f = 1;
    while (x < 40) f *= x, x += 1;
    return x > 2000 ? INF : expq(stirling(x)) / f;
}
static Q lgamma_q(Q x) {
    if (x != x) return x;
    if (isinfq(x)) return INF;
    if (x <= 0 && floorq(x) == x) return INF;
    if (x < 0) {
        if (x < -200) return logq(PI_Q / fabsq(sinpi_q(x))) - lgamma_q(1 - x);
        return logq(fabsq(tgamma_q(x)));
    }
    /* Near its zeros: the logarithm of a quotient that is near one. */
    if (x == 1 || x == 2) return 0;
    if (x < 60) return logq(tgamma_q(x));
    return stirling(x);
}
static Q bessel_i_q(int order, Q x) {
    if (isinfq(x)) return order ? x : INF;
    Q q = x * x / 4, term = order ? x / 2 : 1, sum = term;
    for (int k = 1; k < 3000; k++) {
        term *= q / ((Q)k * (k + order));
        sum += term;
        if (fabsq(term) < fabsq(sum) * 1e-36Q) break;
    }
    return sum;
}

enum Kind { s1, s2, s3, s4, si, sn, d1, d2, d3, d4, di, dn };
static int is_float(enum Kind k) { return k <= sn; }
static int arity(enum Kind k) { return (int[]){1, 2, 3, 4, 2, 2}[k % 6]; }

struct Function {
    const char *name;
    enum Kind kind;
    void (*device)(const double *, const int *, double *);
    Q (*reference)(Q, Q, Q, Q, int);
    double low, high, bound;
};

#define s1_DECL(L) float __nv_##L(float);
#define s2_DECL(L) float __nv_##L(float, float);
#define s3_DECL(L) float __nv_##L(float, float, float);
#define s4_DECL(L) float __nv_##L(float, float, float, float);
#define si_DECL(L) float __nv_##L(float, int);
#define sn_DECL(L) float __nv_##L(int, float);
#define d1_DECL(L) double __nv_##L(double);
#define d2_DECL(L) double __nv_##L(double, double);
#define d3_DECL(L) double __nv_##L(double, double, double);
#define d4_DECL(L) double __nv_##L(double, double, double, double);
#define di_DECL(L) double __nv_##L(double, int);
#define dn_DECL(L) double __nv_##L(int, double);
#define s1_CALL(L) __nv_##L((float)a[0])
#define s2_CALL(L) __nv_##L((float)a[0], (float)a[1])
#define s3_CALL(L) __nv_##L((float)a[0], (float)a[1], (float)a[2])
#define s4_CALL(L) __nv_##L((float)a[0], (float)a[1], (float)a[2], (float)a[3])
#define si_CALL(L) __nv_##L((float)a[0], *n)
#define sn_CALL(L) __nv_##L(*n, (float)a[0])
#define d1_CALL(L) __nv_##L(a[0])
#define d2_CALL(L) __nv_##L(a[0], a[1])
#define d3_CALL(L) __nv_##L(a[0], a[1], a[2])
#define d4_CALL(L) __nv_##L(a[0], a[1], a[2], a[3])
#define di_CALL(L) __nv_##L(a[0], *n)
#define dn_CALL(L) __nv_##L(*n, a[0])

#define F(K, NAME, L, REF, LOW, HIGH, BOUND)                                                           \
    K##_DECL(L) static void device_##NAME(const double *a, const int *n, double *r) { *r = K##_CALL(L); } \
    static Q reference_##NAME(Q x, Q y, Q z, Q w, int n) { (void)x, (void)y, (void)z, (void)w, (void)n; return REF; }
#include "functions.h"
#undef F
static const struct Function FUNCTIONS[] = {
#define F(K, NAME, L, REF, LOW, HIGH, BOUND) {#NAME, K, device_##NAME, reference_##NAME, LOW, HIGH, BOUND},
#include "functions.h"
#undef F
};

static uint64_t state = 88172645463325252u;
static uint64_t next(void) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state * 0x2545F4914F6CDD1Du;
}
static float as_f(uint32_t u) { float f; memcpy(&f, &u, 4); return f; }
static double as_d(uint64_t u) { double d; memcpy(&d, &u, 8); return d; }
static uint32_t of_f(float f) { uint32_t u; memcpy(&u, &f, 4); return u; }
static uint64_t of_d(double d) { uint64_t u; memcpy(&u, &d, 8); return u; }

static FILE *out;
static const struct Function *fn;
static long written;

/* One tuple of arguments: four doubles' worth of space, an integer. Those outside the interval are left out, but
   for what is no number or infinite. */
static void put(const double *a, int n) {
    int m = fn->kind % 6 < 4 ? arity(fn->kind) : 1;
    for (int i = 0; i < m; i++) {
        if (isfinite(a[i]) && !(a[i] >= fn->low && a[i] <= fn->high)) return;
    }
    fwrite(a, 8, 4, out);
    fwrite(&n, 4, 1, out);
    written++;
}
static double number(void) {
    uint64_t r = next();
    if (is_float(fn->kind)) return as_f((uint32_t)r);
    return as_d(r);
}
/* In the interval, evenly. */
static double even(void) {
    double low = fmax(fn->low, -20), high = fmin(fn->high, 20), u = (double)(next() >> 11) / 9007199254740992.0;
    double x = low + (high - low) * u;
    return is_float(fn->kind) ? (float)x : x;
}
static const double SPECIAL[] = {0.0, -0.0, 1, -1, 0.5, -0.5, 2, -2, 3, -3, 1.5, 10, 0.1, 1e-30, 1e30, 1e-45, -1e-45, 1.1754943508222875e-38,
    -1.1754943508222875e-38, 3.4028234663852886e38, -3.4028234663852886e38, 5e-324, -5e-324, 2.2250738585072014e-308,
    1.7976931348623157e308, -1.7976931348623157e308, INF, -INF, NAN, 105615, 48039, 4503599627370496.0, 8388608, 16777216, 9007199254740993.0};
#define SPECIALS ((int)(sizeof SPECIAL / sizeof *SPECIAL))

static void inputs(long stride) {
    enum Kind k = fn->kind;
    int m = k % 6 < 4 ? arity(k) : 1;
    double a[4] = {0};
    if (m == 1) {
        int orders = k % 6 == 5 ? 6 : 1;
        for (int n = 0; n < orders; n++) {
            int order = k == si || k == di ? 0 : n;
            for (int i = 0; i < SPECIALS; i++) {
                a[0] = is_float(k) ? (float)SPECIAL[i] : SPECIAL[i];
                put(a, order);
            }
            long count = (1L << 32) / stride / orders;
            for (long i = 0; i < count; i++) {
                if (k == si || k == di) order = (int)(next() % 600) - 300;
                a[0] = is_float(k) ? as_f((uint32_t)(i * stride * orders)) : i & 1 ? number() : even();
                put(a, order);
            }
            if (is_float(k)) {
                for (long i = 0; i < count / 4; i++) a[0] = even(), put(a, order);
                /* The edges of each binade. */
                for (uint32_t e = 0; e < 512; e++) {
                    for (int d = -3; d <= 3; d++) a[0] = as_f((e << 23) + (uint32_t)d), put(a, order);
                }
            } else {
                for (uint64_t e = 0; e < 4096; e++) {
                    for (int d = -2; d <= 2; d++) a[0] = as_d((e << 52) + (uint64_t)d), put(a, order);
                }
                /* All magnitudes below one and some above. */
                for (long i = 0; i < count / 2; i++) {
                    a[0] = as_d((next() & 0x800fffffffffffffu) | (1023 - 60 + next() % 90) << 52), put(a, order);
                }
            }
        }
        return;
    }
    for (int i = 0; i < SPECIALS * SPECIALS; i++) {
        for (int j = 0; j < 4; j++) a[j] = SPECIAL[j % 2 ? i / SPECIALS : i % SPECIALS];
        if (is_float(k)) for (int j = 0; j < 4; j++) a[j] = (float)a[j];
        put(a, 0);
    }
    for (long i = 0; i < (1L << 31) / stride; i++) {
        int near = next() % 3;
        a[0] = near == 2 ? even() : number();
        for (int j = 1; j < m; j++) {
            if (near == 0) a[j] = number();
            if (near == 1) a[j] = ldexp(is_float(k) ? (float)even() : even(), (isfinite(a[0]) ? ilogb(a[0]) : 0) - 4 + (int)(next() % 8));
            if (near == 2) a[j] = even();
            if (is_float(k)) a[j] = (float)a[j];
        }
        put(a, 0);
    }
}

/* Units in the last place of the result's type between a result and the reference. */
static double error(double got, Q want, int single) {
    double w = single ? (float)want : (double)want;
    if (got != got || w != w) return got != got && w != w ? 0 : INF;
    if (isinf(got) || isinf(w)) {
        if (got == w) return 0;
        /* One step beyond the largest number. */
        double most = single ? 3.4028234663852886e38 : 1.7976931348623157e308;
        if (isinf(w) ? fabs(got) < most : fabs(w) < most) return INF;
        return 1;
    }
    int least = single ? -149 : -1074, digits = single ? 23 : 52;
    int e = want == 0 ? least : ilogbq(want) - digits;
    if (e < least) e = least;
    return (double)(fabsq(got - want) / ldexpq(1, e));
}

int main(int argc, char **argv) {
    if (argc == 2 && !strcmp(argv[1], "list")) {
        for (unsigned i = 0; i < sizeof FUNCTIONS / sizeof *FUNCTIONS; i++) {
            static const char *kinds[] = {"s1", "s2", "s3", "s4", "si", "sn", "d1", "d2", "d3", "d4", "di", "dn"};
            printf("%s %s %g\n", FUNCTIONS[i].name, kinds[FUNCTIONS[i].kind], FUNCTIONS[i].bound);
        }
        return 0;
    }
    if (argc != 5 && argc != 6) return 2;
    for (unsigned i = 0; i < sizeof FUNCTIONS / sizeof *FUNCTIONS; i++) {
        if (!strcmp(FUNCTIONS[i].name, argv[1])) fn = &FUNCTIONS[i];
    }
    if (!fn) return 2;
    int single = is_float(fn->kind);
    if (!strcmp(argv[2], "inputs")) {
        out = fopen(argv[3], "wb");
        if (!out) return 1;
        inputs(atol(argv[4]));
        return fclose(out) != 0;
    }
    if (!strcmp(argv[2], "record")) {
        FILE *file = fopen(argv[3], "rb");
        if (!file) return 1;
        fseek(file, 0, SEEK_END);
        long tuples = ftell(file) / 36, wanted = atol(argv[4]);
        for (long i = 0; i < wanted; i++) {
            double a[4], r;
            int n;
            /* Specials stand first; the rest is spread. */
            fseek(file, (i < wanted / 3 ? i * 3 : next() % tuples) * 36, SEEK_SET);
            if (fread(a, 8, 4, file) != 4 || fread(&n, 4, 1, file) != 1) return 1;
            fn->device(a, &n, &r);
            printf("%s", fn->name);
            if (fn->kind % 6 == 5) printf(" %x", n);
            int m = fn->kind % 6 < 4 ? arity(fn->kind) : 1;
            for (int k = 0; k < m; k++) {
                if (single) printf(" %x", of_f((float)a[k])); else printf(" %lx", of_d(a[k]));
            }
            if (fn->kind % 6 == 4) printf(" %x", n);
            if (r != r) printf(" nan\n");
            else if (single) printf(" %x\n", of_f((float)r));
            else printf(" %lx\n", of_d(r));
        }
        return 0;
    }
    FILE *in = fopen(argv[3], "rb"), *results = fopen(argv[4], "rb"), *others = argc == 6 ? fopen(argv[5], "rb") : NULL;
    if (!in || !results || (argc == 6 && !others)) return 1;
    double a[4], worst_ours = 0, worst_theirs = 0, at_ours = 0, at_theirs = 0, at_other = 0;
    int n, shown = getenv("SHOW") ? atoi(getenv("SHOW")) : 0;
    uint64_t bits;
    long count = 0, same = 0;
    while (fread(a, 8, 4, in) == 4 && fread(&n, 4, 1, in) == 1) {
        if (fread(&bits, 8, 1, results) != 1) return 1;
        double ours = single ? as_f((uint32_t)bits) : as_d(bits), theirs;
        if (others) {
            uint64_t word;
            if (fread(&word, 8, 1, others) != 1) return 1;
            theirs = single ? as_f((uint32_t)word) : as_d(word);
        } else {
            fn->device(a, &n, &theirs);
        }
        int nan = theirs != theirs;
        int equal = nan ? ours != ours : single ? of_f((float)theirs) == (uint32_t)bits : of_d(theirs) == bits;
        count++, same += equal;
        if (!equal) at_other = a[0];
        Q want = fn->reference(a[0], a[1], a[2], a[3], n);
        double e = error(ours, want, single);
        if (e > worst_ours) worst_ours = e, at_ours = a[0];
        double t = error(theirs, want, single);
        if (t > worst_theirs) worst_theirs = t, at_theirs = a[0];
        if (!equal && shown > 0) {
            shown--;
            fprintf(stderr, "  (%a, %a, %d): ours %a theirs %a reference %a\n", a[0], a[1], n, ours, theirs, (double)want);
        }
    }
    printf("%s %ld %.3f %a %.3f %a %.6f %a\n", fn->name, count, worst_ours, at_ours, worst_theirs, at_theirs, 100.0 * same / count, at_other);
    return 0;
}
