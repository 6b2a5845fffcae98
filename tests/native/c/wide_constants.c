/* Constants of 128 bits: their upper halves count, in variables, in case labels, in bit-fields. */
#include <stdio.h>
typedef __int128 wide;
typedef unsigned __int128 uwide;
static void show(uwide v) { printf("%016llx%016llx\n", (unsigned long long)(v >> 64), (unsigned long long)v); }

wide shifted = (wide)1 << 100;
uwide positive = 0xffffffffffffffff;
wide positive_too = 0xffffffffffffffff;
uwide negative = -1;
const wide sum = ((wide)1 << 90) + ((wide)3 << 64) - 7;
uwide product = (uwide)0x123456789abcdef0 * 0xfedcba9876543210;
wide quotient = -((wide)1 << 100) / 3;
uwide remainder_ = ((uwide)1 << 127) % 1000000007;
wide back = (wide)-5 >> 1;
uwide logical = (uwide)-5 >> 1;
wide bits = ((wide)0xff << 72 | 0x0f) ^ ((wide)1 << 73) & ~(wide)0;
wide chosen = sizeof(int) == 4 ? (wide)1 << 66 : 2;
wide from_double = (wide)1e30;
uwide from_char = (unsigned char)200;
wide list[3] = {1, (wide)1 << 65, -1};
struct S { char c; wide w; unsigned f : 3; } record = {1, (wide)7 << 80, 5};
union U { wide w; unsigned char bytes[16]; } either = {.w = (wide)0x0102030405060708 << 64 | 9};
struct B { uwide low : 70; uwide high : 50; } fields = {(uwide)3 << 68 | 1, (uwide)1 << 49};
int small = (int)(((wide)5 << 64) >> 64);
int truth = !!((wide)1 << 100);
_Bool is_set = (wide)1 << 100;
double as_double = (double)((wide)1 << 100);

static int which(wide x)
{
    switch (x) {
    case (wide)1 << 80: return 1;
    case 0: return 2;
    case -((wide)1 << 80): return 3;
    case -1: return 4;
    case (wide)1 << 70 ... ((wide)1 << 70) + 5: return 5;
    default: return 6;
    }
}

int main(void)
{
    static wide kept = (wide)3 << 120;
    static const uwide table[] = {(uwide)1 << 127, 1};
    const wide local = (wide)9 << 99;
    uwide all[] = {shifted, positive, positive_too, negative, sum, product, quotient, remainder_, back, logical, bits,
                   chosen, from_double, from_char, list[0], list[1], list[2], record.w, either.w, fields.low,
                   fields.high, kept, table[0], table[1], local};
    for (unsigned i = 0; i < sizeof all / sizeof *all; ++i) show(all[i]);
    printf("%d %d %d %g\n", small, truth, is_set, as_double);
    for (int i = 0; i < 16; ++i) printf("%d ", either.bytes[i]);
    printf("\n%d %d %d %d %d %d %d\n", which((wide)1 << 80), which(0), which(-((wide)1 << 80)), which(-1),
           which(((wide)1 << 70) + 5), which(((wide)1 << 70) + 6), which(1));
    return 0;
}
