// What lanes that have left a loop take along is not harmed by values of another width in the lanes that turn on.
#include <cmath>
#include <cstdio>

__global__ void k(const int *rows, const float *g, const double *e, float *of, double *od, int n, float x) {
    int i = threadIdx.x;
    float sum = i;
    if (i < n)
        for (int k = rows[i]; k <= rows[i + 1]; k++) {
            // Where it meets the number of above, its NaN is the device's: in a register that is for this alone.
            sum += g[k];
            if (od[i ^ 5] < fma(i - e[i], (double)x, (double)x)) od[i ^ 5] = fma(i - e[i], (double)x, (double)x);
        }
    of[i] = sum;
}

int main() {
    int *rows;
    float *g, *of;
    double *e, *od;
    cudaMallocManaged(&rows, 65 * sizeof(int));
    cudaMallocManaged(&g, 256 * sizeof(float));
    cudaMallocManaged(&of, 64 * sizeof(float));
    cudaMallocManaged(&e, 64 * sizeof(double));
    cudaMallocManaged(&od, 64 * sizeof(double));
    rows[0] = 0;
    for (int i = 0; i < 64; i++) rows[i + 1] = rows[i] + i * 7 % 4, e[i] = i * i % 7, od[i] = i % 3 - 5;
    for (int i = 0; i < 256; i++) g[i] = i;
    k<<<1, 64>>>(rows, g, e, of, od, 60, -0.25f);
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; i++) {
        float sum = i;
        if (i < 60)
            for (int k = rows[i]; k <= rows[i + 1]; k++) sum += k;
        if (of[i] != sum) printf("%d: %g for %g\n", i, of[i], sum);
    }
    cudaFree(rows), cudaFree(g), cudaFree(of), cudaFree(e), cudaFree(od);
}
