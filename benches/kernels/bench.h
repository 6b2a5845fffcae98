// The clock of the benchmark programs: wall time of the kernels alone, printed to stderr as
// `time MS`, so that start-up and set-up do not count. The same in the CUDA, OpenCL and C versions.
#ifndef BENCH_H
#define BENCH_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double bench_start;

static double bench_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e3 + t.tv_nsec * 1e-6;
}

static void bench_begin(void)
{
    bench_start = bench_now();
}

// Rounds that are left, this one included; the last is measured.
static int bench_left;

// Runs what follows once, or, where BENCH_WARM is set, twice more before, as compilers that compile at the first
// launch, or at the second when they have seen how long it takes, are measured: their kernels are compiled then, and the
// memory is there.
#define BENCH for (bench_left = getenv("BENCH_WARM") ? 3 : 1; bench_left > 0; bench_left--)

static void bench_end(void)
{
    if (bench_left <= 1)
        fprintf(stderr, "time %.4f\n", bench_now() - bench_start);
}

// Operations of single threads that were timed, roughly, to standard error as `work N`.
static void bench_work(double operations)
{
    fprintf(stderr, "work %.0f\n", operations);
}

#endif
