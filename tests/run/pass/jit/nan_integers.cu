// What is no number becomes an integer: the top bit alone from double or to 64 bits, else 0. Each engine gives the same.
// revisions: vm jit
// run-flags[vm]: --engine vm
// run-flags[jit]: --engine jit
#include <cstdio>

__global__ void k(const float *f, const double *d, long long *wide, int *narrow, int n) {
    int i = threadIdx.x;
    if (i < n) {
        wide[4 * i] = (long long)f[i];
        wide[4 * i + 1] = (long long)(unsigned long long)f[i];
        wide[4 * i + 2] = (long long)d[i];
        wide[4 * i + 3] = (long long)(unsigned long long)d[i];
        narrow[4 * i] = (int)f[i];
        narrow[4 * i + 1] = (int)(unsigned)f[i];
        narrow[4 * i + 2] = (int)d[i];
        narrow[4 * i + 3] = (int)(unsigned)d[i];
    }
}

int main() {
    const int n = 32;
    float *f;
    double *d;
    long long *wide;
    int *narrow;
    cudaMallocManaged(&f, n * sizeof *f);
    cudaMallocManaged(&d, n * sizeof *d);
    cudaMallocManaged(&wide, 4 * n * sizeof *wide);
    cudaMallocManaged(&narrow, 4 * n * sizeof *narrow);
    for (int i = 0; i < n; i++) {
        // Side by side and alone.
        d[i] = i < 8 || i == 20 ? __builtin_nan("") : i == 21 ? 1e300 : i == 22 ? -1e300 : i + 0.75;
        f[i] = (float)d[i];
    }
    k<<<1, n>>>(f, d, wide, narrow, n);
    cudaDeviceSynchronize();
    for (int i : {0, 7, 20, 21, 22, 23}) {
        for (int j = 0; j < 4; j++) printf("%llx ", (unsigned long long)wide[4 * i + j]);
        for (int j = 0; j < 4; j++) printf("%x ", (unsigned)narrow[4 * i + j]);
        printf("\n");
    }
    cudaFree(f);
    cudaFree(d);
    cudaFree(wide);
    cudaFree(narrow);
}
