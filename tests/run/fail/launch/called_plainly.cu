// A kernel that is called through a pointer like a function: nothing is launched, and nothing tells.
// revisions: plain launched
#include <cstdio>

__global__ void kernel(int *p, int n) { *p = n; }

template <class K, class... A> void bench(K kernel, A... a) {
#ifdef REV_plain
    kernel(a...); //[plain]~ ERROR invalid-launch: the kernel `kernel` is called like a function: nothing is launched
#else
    kernel<<<1, 1>>>(a...);
#endif
}

int main() {
    int *d, h;
    cudaMalloc(&d, sizeof h);
    cudaMemset(d, 0, sizeof h);
    bench(kernel, d, 7);
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %s\n", h, cudaGetErrorName(cudaGetLastError()));
    cudaFree(d);
}
