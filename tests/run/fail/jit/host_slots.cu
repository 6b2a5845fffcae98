// Accesses of machine code to a function's own variables: at an index, at a place that is known, while the variable is dead.
// run-flags: --engine jit
// revisions: byte short_ long_ odd half below above row tail unsigned_ wide part dead ended known apart never narrow near
#include <cstdio>
#include <cstring>

// Each call goes on behind an error that does not end the run, and leaves where it does.
__attribute__((noinline)) static long work(int n, int at) {
    long sum = 0;
    int own[4] = {1, 2, 3, 4};
    for (int i = 0; i < n; i++) {
        bool now = i == at;
#if defined(REV_byte)
        sum += ((char *)own)[now ? 16 : i & 15]; //[byte]~ ERROR out-of-bounds
#elif defined(REV_short_)
        sum += ((short *)own)[now ? 8 : i & 7]; //[short_]~ ERROR out-of-bounds
#elif defined(REV_long_)
        sum += ((long *)own)[now ? 2 : i & 1]; //[long_]~ ERROR out-of-bounds
#elif defined(REV_odd)
        sum += *(int *)((char *)own + (now ? 6 : (i & 3) * 4)); //[odd]~ ERROR misaligned-access
#elif defined(REV_half)
        sum += ((long *)((char *)own + 4))[now ? 0 : 0] * now; //[half]~ ERROR misaligned-access
#elif defined(REV_below)
        own[now ? -1 : i & 3] = i; //[below]~ ERROR out-of-bounds
#elif defined(REV_above)
        int *p = own + 1;
        p[now ? 3 : (i & 3) - 1] = i; //[above]~ ERROR out-of-bounds
#elif defined(REV_row)
        int two[2][2] = {{1, 2}, {3, 4}};
        sum += two[now ? 2 : i & 1][i >> 1 & 1]; //[row]~ ERROR out-of-bounds
#elif defined(REV_tail)
        // The last bytes are too few.
        short three[3] = {1, 2, 3};
        sum += ((int *)three)[now ? 1 : 0]; //[tail]~ ERROR out-of-bounds
#elif defined(REV_unsigned_)
        unsigned k = now ? 0xfffffffeu : i & 3;
        int *p = own;
        sum += p[k + 1]; //[unsigned_]~ ERROR out-of-bounds
#elif defined(REV_wide)
        size_t k = now ? 0x100000001ul : i & 3;
        sum += own[k]; //[wide]~ ERROR out-of-bounds
#elif defined(REV_part)
        long whole[2];
        whole[1] = i;
        if (!now) whole[0] = 1;
        sum += whole[i & 1]; //[part]~ ERROR uninitialized-read
#elif defined(REV_dead)
        int *p = own;
        for (int round = 0; round < 2; round++) {
            int inner = i;
            if (round == 1 || !now) p = &inner;
            sum += inner;
            inner = 5;
        }
        if (now) sum += *p; //[dead]~ ERROR use-after-free
#elif defined(REV_ended)
        int *p;
        {
            int inner = i;
            p = &inner;
            sum += *p;
        }
        if (now) sum += *p; //[ended]~ ERROR use-after-free
#elif defined(REV_known)
        if (now) sum += *(int *)((char *)own + 16); //[known]~ ERROR out-of-bounds
#elif defined(REV_apart)
        if (now) sum += *(int *)((char *)own + 2); //[apart]~ ERROR misaligned-access
#elif defined(REV_never)
        double real[2];
        if (!now) real[i & 1] = i, real[~i & 1] = 1;
        sum += (long)real[i & 1]; //[never]~ ERROR uninitialized-read
#elif defined(REV_narrow)
        union {
            char c[4];
            int all;
        } u;
        u.c[0] = 1;
        if (!now) u.all = 5;
        sum += u.all; //[narrow]~ ERROR uninitialized-read
#else
        own[i & 3] = i;
        sum += ((char *)own)[now ? 15 : i & 15];
#endif
    }
    return sum + own[0];
}

int main() {
    long sum = work(100, -1);
    sum += work(100, 70);
    return sum == -1;
}
