// Nothing to note: neighbouring elements, whole warps, padded rows. And without --perf no notes at all.
// revisions: counted not_counted
//[counted] flags: --perf
#include <cstdio>

__global__ void copy(float4 *to, const float4 *from, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < n) to[t] = from[t];
}

#ifdef REV_not_counted
__global__ void bad(float *p) {
    if (threadIdx.x & 1) p[threadIdx.x * 4] = 1;
    else p[threadIdx.x * 4 + 2] = 2;
}
#endif

int main() {
    float4 *a, *b, h[128];
    for (int i = 0; i < 128; i++) h[i] = make_float4(i, i, i, i);
    cudaMalloc(&a, sizeof(h));
    cudaMalloc(&b, sizeof(h));
    cudaMemcpy(a, h, sizeof(h), cudaMemcpyHostToDevice);
    copy<<<2, 64>>>(b, a, 128);
#ifdef REV_not_counted
    bad<<<1, 32>>>((float *)a);
#endif
    cudaMemcpy(h, b, sizeof(h), cudaMemcpyDeviceToHost);
    printf("%g\n", h[127].w);
    cudaFree(a);
    cudaFree(b);
    return 0;
}
