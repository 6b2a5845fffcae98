// Of two operands that are no numbers the first one is the result, from wherever it comes.
// revisions: vm jit
// run-flags[vm]: --engine vm
// run-flags[jit]: --engine jit
#include <cstdio>
#include <cstring>

__global__ void k(const double *e, const int *q, double *o, double given) {
    int i = threadIdx.x;
    double v = o[i], l[4] = {v, v, v, v};
    switch (q[i] & 3) {
        case 0: v = e[q[i]] * fabs(v); break;
        case 1: v = e[q[i]] + fabs(v); break;
        case 2: v = l[q[i] & 1] * e[q[i]]; break;
        default: v = l[q[i] & 1] + -v;
    }
    o[i] = v;
    o[i + 64] = e[i] * v + e[i];
    o[i + 128] = l[2] + e[i];
    double same = sqrt(given);
    o[i + 192] = fmin(l[2], e[i]) + fmax(same, e[i]);
    o[i + 256] = fmax(e[i], l[1]);
    o[i + 384] = fmin(same, e[i]);
    o[i + 320] = fmin(i & 1 ? e[i] : i, l[3]) + fmax(l[3], i & 2 ? e[i] : i);
}

int main() {
    const int n = 64;
    double *e, *o;
    int *q;
    cudaMallocManaged(&e, n * sizeof(double));
    cudaMallocManaged(&o, 7 * n * sizeof(double));
    cudaMallocManaged(&q, n * sizeof(int));
    for (int i = 0; i < n; i++) {
        unsigned long long a = 0xfff8000000000000 | i, b = 0xfff8000000001000 | i;
        memcpy(e + i, &a, sizeof a);
        memcpy(o + i, &b, sizeof b);
        q[i] = i * 29 & 63;
    }
    k<<<1, n>>>(e, q, o, -1);
    cudaDeviceSynchronize();
    unsigned long long all = 0, bits;
    for (int i = 0; i < 7 * n; i++) {
        memcpy(&bits, o + i, sizeof bits);
        if (i % 37 == 0) printf("%llx ", bits);
        all = all * 31 + bits;
    }
    printf("%llx\n", all);
    cudaFree(e), cudaFree(o), cudaFree(q);
}
