// Launches that are large enough for the detector to leave out what is proved free of races, and what takes the proof away:
// one array for two, an argument of a second launch.
// revisions: apart same part again
// flags: --jobs 1
#include <stdio.h>

#define N (1 << 15)

__global__ void shift(int *to, const int *from, int step) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i * step] = from[i + 1]; //[same]~ ERROR global-race
    //[same]~^ RELATED global-race
    //[part]~^^ ERROR global-race
    //[part]~^^^ RELATED global-race
    //[again]~^^^^ WARNING global-race
}

int main() {
    int *a, *b;
    cudaMalloc(&a, (2 * N + 2) * sizeof(int));
    cudaMalloc(&b, (4 * N + 2) * sizeof(int));
    cudaMemset(a, 0, (2 * N + 2) * sizeof(int));
    cudaMemset(b, 0, (4 * N + 2) * sizeof(int));
    shift<<<N / 256, 256>>>(a, b, 1);
#if defined REV_same
    shift<<<N / 256, 256>>>(a, a, 1);
#elif defined REV_part
    shift<<<N / 256, 256>>>(a, a + 7, 1);
#elif defined REV_again
    shift<<<4 * N / 256, 256>>>(a, b, 0);
#endif
    cudaDeviceSynchronize();
    cudaFree(a);
    cudaFree(b);
    return 0;
}
