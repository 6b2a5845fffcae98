// A lock that nobody frees; the near miss has a holder that lets go.
// revisions: held freed
#include <stdio.h>

__global__ void take(int *lock, int *out) {
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0) { //[held]~ ERROR deadlock
        }
        *out += 1;
#ifdef REV_freed
        __threadfence();
        atomicExch(lock, 0);
#endif
    }
}

int main() {
    int *lock, *out, host = 0;
    cudaMalloc(&lock, sizeof(int));
    cudaMalloc(&out, sizeof(int));
    cudaMemset(lock, 0, sizeof(int));
    cudaMemset(out, 0, sizeof(int));
    take<<<1, 32>>>(lock, out);
    take<<<1, 32>>>(lock, out);
    cudaMemcpy(&host, out, sizeof(int), cudaMemcpyDeviceToHost);
#ifdef REV_freed
    printf("%d\n", host);
#endif
    cudaFree(lock);
    cudaFree(out);
    return 0;
}
