#include "names_like_functions.h"

namespace mine {
__device__ int __popc(int x) { return x * 100; }
__device__ int __ffs(int x, int y) { return x * 200 + y; }
__device__ void __syncthreads(int *p) { *p = 5; }
__device__ float sqrtf(float) { return 33; }
__device__ double cos(double) { return 55; }
int setjmp(int) { return 11; }
int rotateleft32(int, int) { return 12; }
int printf(int) { return 13; }
double sin(double) { return 17; }
int cudaDeviceSynchronize(int) { return 18; }
int exit(int) { return 19; }
void abort(int) {}
__device__ int S::__clz(int) { return 44; }
int S::strlen(int) { return 15; }
int S::memcpy(int, int, int) { return 16; }
}

int setjmp(double) { return 20; }
