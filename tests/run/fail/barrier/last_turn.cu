// A barrier in a loop that some threads leave one turn before the others. They go on to other work, so it is no guard.
// The near miss is the guard itself, and the loop that all go through equally often.
// revisions: turn guard equal
#include <stdio.h>

__global__ void sums(const int *in, int *out, int n) {
    __shared__ int s[64];
    int t = threadIdx.x;
#ifdef REV_guard
    if (t >= 48) return; //[guard]~ RELATED barrier-divergence
#endif
    s[t] = 0;
    __syncthreads(); //[guard]~ WARNING barrier-divergence
    for (int b = 0; b < 4; ++b) {
        int i = 64 * b + t;
#ifdef REV_turn
        if (i < n) { //[turn]~ RELATED barrier-divergence
            s[t] += in[i];
            __syncthreads(); //[turn]~ ERROR barrier-divergence
        }
#else
        if (i < n) s[t] += in[i];
        __syncthreads(); //[guard]~ WARNING barrier-divergence
#endif
    }
    if (t == 0) {
        int sum = 0;
        for (int i = 0; i < 48; i++) sum += s[i];
        *out = sum;
    }
} //[turn]~ RELATED barrier-divergence

int main() {
    int *in, *out, sum;
    cudaMalloc(&in, 240 * sizeof(int));
    cudaMemset(in, 0, 240 * sizeof(int));
    cudaMalloc(&out, sizeof(int));
    sums<<<1, 64>>>(in, out, 240);
    cudaMemcpy(&sum, out, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", sum);
    cudaFree(in);
    cudaFree(out);
    return 0;
}
