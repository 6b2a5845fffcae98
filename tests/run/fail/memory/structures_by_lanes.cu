// Structures copied by many threads at once: past the end, from an address that is not aligned, and as it should be.
// revisions: past odd fine
#include <cstdio>

struct Words {
    unsigned r, g, b;
};

__global__ void copy(Words *to, const Words *from, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = from[i];
    //[past]~^ ERROR out-of-bounds: read of 12 bytes
    //[odd]~^^ ERROR misaligned-access: read of 12 bytes
}

int main() {
    const int n = 100;
    Words *from, *to, back[n];
    cudaMalloc(&from, n * sizeof(Words));
    cudaMalloc(&to, (n + 28) * sizeof(Words));
    cudaMemset(from, 7, n * sizeof(Words));
#ifdef REV_past
    copy<<<1, 128>>>(to, from, n + 8);
#elif defined(REV_odd)
    copy<<<1, 128>>>(to, (const Words *)((const char *)from + 2), n - 1);
#else
    copy<<<1, 128>>>(to, from, n);
#endif
    if (cudaMemcpy(back, to, sizeof back, cudaMemcpyDeviceToHost) == cudaSuccess) printf("%x\n", back[n - 1].b);
#ifdef REV_fine
    cudaFree(from);
    cudaFree(to);
#endif
}
