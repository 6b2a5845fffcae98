// What machine code computes leaves to the bytecode where it is undefined.
// run-flags: --engine jit
// revisions: add sub mul by imm negate add_l sub_l mul_l by_l imm_l negate_l div_l rem_l least_l udiv urem_l left right left_l right_l above below nan real
// revisions: differ order far row near
#include <cstdio>
#include <cstdlib>

__attribute__((noinline)) static long work(int n, int at, int zero) {
    long sum = 0;
    int *a = (int *)calloc(4, sizeof(int)), *b = (int *)calloc(4, sizeof(int));
    int rows[2][2] = {{1, 2}, {3, 4}};
    const int most = 2147483647, least = -most - 1;
    const long most_l = 0x7fffffffffffffffL, least_l = -most_l - 1;
    for (int i = 0; i < n; i++) {
        bool now = i == at;
        int x = i + zero;
        long w = i + zero;
#if defined(REV_add)
        sum += (now ? most : x) + x; //[add]~ WARNING undefined-behavior
#elif defined(REV_sub)
        sum += (now ? least : x) - x; //[sub]~ WARNING undefined-behavior
#elif defined(REV_mul)
        sum += (now ? most : x) * x; //[mul]~ WARNING undefined-behavior
#elif defined(REV_by)
        sum += (now ? most : x) * 7; //[by]~ WARNING undefined-behavior
#elif defined(REV_imm)
        sum += (now ? most : x) + 1; //[imm]~ WARNING undefined-behavior
#elif defined(REV_negate)
        sum += -(now ? least : x); //[negate]~ WARNING undefined-behavior
#elif defined(REV_add_l)
        sum ^= (now ? most_l : w) + w; //[add_l]~ WARNING undefined-behavior
#elif defined(REV_sub_l)
        sum ^= (now ? least_l : w) - w; //[sub_l]~ WARNING undefined-behavior
#elif defined(REV_mul_l)
        sum ^= (now ? most_l : w) * w; //[mul_l]~ WARNING undefined-behavior
#elif defined(REV_by_l)
        sum ^= (now ? most_l : w) * 7; //[by_l]~ WARNING undefined-behavior
#elif defined(REV_imm_l)
        sum ^= (now ? most_l : w) + 1; //[imm_l]~ WARNING undefined-behavior
#elif defined(REV_negate_l)
        sum ^= -(now ? least_l : w); //[negate_l]~ WARNING undefined-behavior
#elif defined(REV_div_l)
        sum += 7 / (now ? zero + 0L : 3L); //[div_l]~ ERROR undefined-behavior
#elif defined(REV_rem_l)
        sum += w % (now ? zero + 0L : 3L); //[rem_l]~ ERROR undefined-behavior
#elif defined(REV_least_l)
        sum ^= (now ? least_l : w) / (now ? zero - 1L : 3L); //[least_l]~ ERROR undefined-behavior
#elif defined(REV_udiv)
        sum += (unsigned)x / (now ? (unsigned)zero : 3u); //[udiv]~ ERROR undefined-behavior
#elif defined(REV_urem_l)
        sum += (long)((unsigned long)w % (now ? zero + 0ul : 3ul)); //[urem_l]~ ERROR undefined-behavior
#elif defined(REV_left)
        sum += x << (now ? 32 + zero : 3); //[left]~ ERROR undefined-behavior
#elif defined(REV_right)
        sum += (unsigned)x >> (now ? zero - 1 : 3); //[right]~ ERROR undefined-behavior
#elif defined(REV_left_l)
        sum ^= w << (now ? 64 + zero : 3); //[left_l]~ ERROR undefined-behavior
#elif defined(REV_right_l)
        sum ^= w >> (now ? 64 + zero : 3); //[right_l]~ ERROR undefined-behavior
#elif defined(REV_above)
        sum += (int)(now ? 3e9f + (float)x : (float)x); //[above]~ ERROR undefined-behavior
#elif defined(REV_below)
        sum += (int)(now ? -3e9 + (double)x : (double)x); //[below]~ ERROR undefined-behavior
#elif defined(REV_nan)
        double nothing = now ? zero : 1;
        sum += (long)(nothing / nothing); //[nan]~ ERROR undefined-behavior
#elif defined(REV_real)
        sum ^= (long)(now ? 1e19f + (float)x : (float)x); //[real]~ ERROR undefined-behavior
#elif defined(REV_differ)
        int *p = now ? b : a + 1;
        sum += p - a; //[differ]~ ERROR undefined-behavior
#elif defined(REV_order)
        int *p = now ? b : a + 1;
        sum += p < a; //[order]~ ERROR undefined-behavior
#elif defined(REV_far)
        // Beyond where a pointer of this object can point: it is in no other one.
        int *p = a + (now ? 1L << 30 : x & 3);
        sum += *p; //[far]~ ERROR out-of-bounds
#elif defined(REV_row)
        sum += rows[i & 1][now ? 2 : 1]; //[row]~ ERROR out-of-bounds
#else
        sum += (now ? most : x) + 0 + (now ? least : -x) / 2 + (x << (now ? 31 : 3)) / 4 + (long)(now ? 2147483520.0f : (float)x);
        sum += a + 4 - (now ? a : a + 4) + rows[i & 1][1];
#endif
    }
    free(a);
    free(b);
    return sum;
}

int main() {
    long sum = work(100, -1, 0);
    sum ^= work(100, 70, 0);
    return sum == -1;
}
