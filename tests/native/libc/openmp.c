// OpenMP's pragmas on the host, which a compiler without -fopenmp passes over.
#include <stdio.h>
#include <stdlib.h>
#ifdef _OPENMP
#include <omp.h>
#endif
int main(int argc, char **argv) {
    int n = 100;
    long sum = 0;
    double *x = malloc(n * sizeof *x);
#pragma omp parallel for
    for (int i = 0; i < n; i++) x[i] = i * 0.5;
#pragma omp parallel for reduction(+:sum) schedule(static, 4)
    for (int i = 0; i < n; i++) {
        sum += (long)x[i];
    }
#pragma omp parallel
    {
#pragma omp single
        puts("single");
#pragma omp critical
        {
            sum++;
        }
#pragma omp barrier
    }
    int c = 0;
#pragma omp parallel sections
    {
#pragma omp section
        c += 1;
#pragma omp section
        c += 2;
    }
#pragma omp simd
    for (int i = 0; i < n; ++i) x[i] += 1;
#pragma omp atomic
    c += 5;
#pragma unroll 4
    for (int i = 0; i < 3; i++) c++;
#pragma GCC ivdep
    for (int i = 0; i < 3; i++) c++;
#pragma omp parallel for collapse(2) private(c)
    for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) x[i * 2 + j] = 7;
    printf("%ld %d %g %d\n", sum, c, x[3], argc);
    free(x);
    return 0;
}
