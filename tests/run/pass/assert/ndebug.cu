// With NDEBUG an assert is nothing.
#define NDEBUG
#include <assert.h>
#include <stdio.h>

__global__ void check() { assert(threadIdx.x > 100); }

int main() {
    check<<<1, 1>>>();
    assert(1 == 2);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
