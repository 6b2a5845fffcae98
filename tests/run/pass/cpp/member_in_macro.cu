// A macro writes the member's name behind its argument.
#include <cstdio>
#define real double
#define DOT(A, B) ((A.x) * (B.x) + (A.y) * (B.y))

struct V {
    double x, y;
};

__global__ void k(double* out, V v) {
    __shared__ V s[4];
    int t = threadIdx.x;
    s[t].x = v.x + t;
    s[t].y = v.y;
    out[t] = DOT((real)s[t], (real)s[t]);
}

int main() {
    V a[2] = {{1, 2}, {3, 4}};
    printf("%g\n", DOT((real)a[0], a[1]));
    double *out, host[4];
    cudaMalloc(&out, sizeof host);
    k<<<1, 4>>>(out, a[1]);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (double d : host)
        printf("%g ", d);
    printf("\n");
    cudaFree(out);
}
