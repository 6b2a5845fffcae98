// A proof takes for granted that parameters point to distinct memory, and the run shows that they do not.
// flags: --verdicts
#include <cuda_runtime.h>

__global__ void shift(int *a, const int *b) {
    int i = threadIdx.x;
    a[i] = b[i] + 1; //~ ERROR global-race
}

struct Pair {
    int *a, *b;
};

Pair make() {
    Pair p;
    cudaMalloc(&p.a, 65 * sizeof(int));
    cudaMemset(p.a, 0, 65 * sizeof(int));
    p.b = p.a + 1;
    return p;
}

int main() {
    Pair p = make();
    shift<<<1, 64>>>(p.a, p.b);
    cudaDeviceSynchronize();
    cudaFree(p.a);
}
