// nvcc fuses multiplications and additions of device code unless it is told not to: each result is compared
// with the fused and the unfused one, which the host computes. Each case has operands of its own.
#include <math.h>
#include <stdio.h>

#define CASES 20

struct Four {
    float a, b, c, d;
};

__global__ void compute(float *o, const Four *x, float given, int n) {
#define A x[i].a
#define B x[i].b
#define C x[i].c
#define D x[i].d
    int i = 0;
    o[i] = A * B + C, i++;                          // the left operand
    o[i] = C + A * B, i++;                          // the right one
    o[i] = A * B - C, i++;
    o[i] = C - A * B, i++;
    o[i] = -(A * B) - C, i++;
    o[i] = A * B + C * D, i++;                      // of two products the left one
    o[i] = A * B - C * D, i++;
    o[i] = __fadd_rn(__fmul_rn(A, B), C), i++;      // never
    o[i] = __fmul_rn(A, B) + C, i++;
    o[i] = __fadd_rn(A * B, C), i++;
    o[i] = fabsf(A * B) + C, i++;                   // something lies in between
    float s = A * B;                                // needed by itself
    o[CASES] = s;
    o[i] = s + C, i++;
    float t = 0, b = A;
    for (int k = 0; k < n; k++) t += b * given;     // from outside a loop, a parameter among the factors
    o[i] = t, i++;
    float t2 = 0, b2 = A, step = B;
    for (int k = 0; k < n; k++) t2 += b2 * step;    // from outside a loop otherwise
    o[i] = t2, i++;
    float u = A * B;                                // across branches
    if (n > 1) {
        o[i] = u + C;
    } else {
        o[i] = u - C;
        o[CASES] = 1;
    }
    i++;
    float y = A * B;                                // into one branch
    if (n > 1) {
        o[i] = y + C;
        o[CASES] = y - D;
    }
    i++;
    float r = D;                                    // where values meet
    if (n > 1) r = A * B;
    o[i] = r + C, i++;
    float w = A * B;                                // all uses are additions
    o[i] = w + C;
    o[CASES] += w - D, i++;
    float v = A * B;                                // one is, where the other is the other product's
    o[i] = v + C * D, i++;
    o[i] = fmaf(A, B, C * D) + 0.0f * D, i++;
}

int main() {
    static const char *names[CASES] = {
        "a*b+c", "c+a*b", "a*b-c", "c-a*b", "-(a*b)-c", "a*b+c*d", "a*b-c*d", "__fadd_rn(__fmul_rn)", "__fmul_rn+c",
        "__fadd_rn(a*b, c)", "fabsf(a*b)+c", "p and p+c", "loop, parameter",
        "loop, variables", "branches", "branch", "join", "p+c and p-d", "p+c*d", "fmaf"};
    int fused[CASES] = {0}, apart[CASES] = {0}, neither[CASES] = {0};
    float *o;
    Four *x;
    const int n = 5;
    cudaMallocManaged(&o, (CASES + 1) * sizeof(float));
    cudaMallocManaged(&x, CASES * sizeof(Four));
    for (int k = 1; k <= 40; k++) {
        float a = 1.0f + k * 0.0371f, b = 1.1f + k * 0.00713f, c = 0.3f + k * 0.0517f, d = 2.1f - k * 0.0113f;
        for (int i = 0; i < CASES; i++) x[i] = {a, b, c, d};
        compute<<<1, 1>>>(o, x, b, n);
        cudaDeviceSynchronize();
        float f[CASES], p[CASES];
        volatile float ab = a * b, cd = c * d, sum = 0;
        for (int i = 0; i < CASES; i++) p[i] = ab + c, f[i] = fmaf(a, b, c);
        p[2] = ab - c, f[2] = fmaf(a, b, -c);
        p[3] = c - ab, f[3] = fmaf(-a, b, c);
        p[4] = -ab - c, f[4] = fmaf(-a, b, -c);
        p[5] = p[18] = ab + cd, f[5] = f[18] = f[19] = fmaf(a, b, cd);
        p[6] = ab - cd, f[6] = fmaf(a, b, -cd);
        f[12] = 0;
        for (int m = 0; m < n; m++) sum = sum + ab, f[12] = fmaf(a, b, f[12]);
        p[12] = p[13] = sum, f[13] = f[12];
        p[19] = ab + cd;
        for (int i = 0; i < CASES; i++) {
            if (o[i] != f[i] && o[i] != p[i]) neither[i]++;
            if (o[i] == f[i] && o[i] != p[i]) fused[i]++;
            if (o[i] != f[i] && o[i] == p[i]) apart[i]++;
        }
    }
    for (int i = 0; i < CASES; i++) {
        bool wrong = neither[i] || (fused[i] && apart[i]) || fused[i] + apart[i] == 0;
        printf("%-22s %s\n", names[i], wrong ? "WRONG" : fused[i] ? "fused" : "apart");
    }
    cudaFree(o);
    cudaFree(x);
    return 0;
}
