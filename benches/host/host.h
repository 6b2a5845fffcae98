// What the benchmarks of host code share: the clock and a generator; `NO_DEVICE` where a plain C++ compiler
// builds the program. `time MS` on stderr is the processor time of the host's loops alone.
#ifndef HOST_H
#define HOST_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifndef __CUDACC__
#define NO_DEVICE
#endif

static clock_t host_start;

static void host_begin(void)
{
    host_start = clock();
}

static void host_end(void)
{
    fprintf(stderr, "time %.4f\n", (double)(clock() - host_start) * 1e3 / CLOCKS_PER_SEC);
}

static unsigned host_seed = 12345u;

static unsigned host_random(void)
{
    host_seed = host_seed * 1664525u + 1013904223u;
    return host_seed >> 8;
}

#endif
