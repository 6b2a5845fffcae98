// What inline PTX reads and writes is checked like everything else; what is not in the table is named.
#include <cstdio>

__global__ void race(int* p)
{
    asm volatile("st.global.s32 [%0], %1;" :: "l"(p), "r"((int)threadIdx.x)); //~ ERROR global-race
}

__global__ void beyond(int* p)
{
    int v;
    asm volatile("ld.global.s32 %0, [%1+16];" : "=r"(v) : "l"(p)); //~ ERROR out-of-bounds
    *p = v;
}

int main()
{
    int* p;
    cudaMalloc(&p, 4 * sizeof(int)); //~ RELATED out-of-bounds
    cudaMemset(p, 0, 4 * sizeof(int));
    race<<<1, 2>>>(p);
    beyond<<<1, 1>>>(p);
    cudaDeviceSynchronize();
    cudaFree(p);
    return 0;
}
