// A loop that a `goto` enters in its middle: where it ends hangs on where it ended an iteration before, and so on without
// an end. The check ends nevertheless.
// flags: --block-dim 64 --grid-dim 1 --verdicts
__global__ void k(const int *in, int n) {
    int sum = 0, k = 0, v = 0;
    if (n > 100) goto low;
    for (k = 0; k < 20; k++) {
        v = in[k % n]; //~ WARNING undefined-behavior: a thread may divide by zero
        if (v > n) {
        } else if (v == n) {
            continue;
        } else {
        low:
            sum -= 1;
        }
        if (v % 11 == 3) sum ^= k;
    }
}
