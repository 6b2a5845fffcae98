// `new`, `delete[]` and a loop's parts from macros in kernels, as in host code.
#include <cstdio>

typedef int Row[4];
#define ROW Row
#define NEW new
#define ARRAY []
#define FOREVER for (;;)

__global__ void k(int* out)
{
    int* row = NEW ROW();
    for (int i = 0; i < 4; i++) row[i] += i;
    int n = 0;
    for (n = 2;;) break;
    FOREVER
    {
        if (++n == 7) break;
    }
    *out = row[3] * 100 + n;
    delete ARRAY row;
}

int main()
{
    int *p, h;
    cudaMalloc(&p, sizeof h);
    k<<<1, 1>>>(p);
    cudaMemcpy(&h, p, sizeof h, cudaMemcpyDeviceToHost);
    std::printf("%d\n", h);
    cudaFree(p);
}
