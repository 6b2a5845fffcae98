// Comments with `else` behind `if constexpr` in kernels: neither they nor the text between the branches decide.
#include <cstdio>

template <bool B> __global__ void choose(int* p)
{
    if constexpr (B) // else keep the old value
        p[threadIdx.x] = 1;
    else
        p[threadIdx.x] = 2;
}

__global__ void nothing(int* p)
{
    if constexpr (sizeof(void*) == 4) /* else nothing to do */
        p[threadIdx.x] = 99;
}

#define IF_ELSE(c, a, b) if constexpr (c) a; else b

template <int N> __global__ void macros(int* p)
{
    IF_ELSE(N > 2, p[threadIdx.x] += 10, p[threadIdx.x] += 20);
}

int main()
{
    int *p, h[32];
    cudaMalloc(&p, sizeof h);
    cudaMemset(p, 0, sizeof h);
    choose<false><<<1, 32>>>(p);
    nothing<<<1, 32>>>(p);
    cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);
    std::printf("%d\n", h[3]);
    choose<true><<<1, 32>>>(p);
    macros<3><<<1, 32>>>(p);
    macros<2><<<1, 32>>>(p);
    cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);
    std::printf("%d\n", h[31]);
    cudaFree(p);
}
