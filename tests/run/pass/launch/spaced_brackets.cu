// Launch brackets with blanks between them, as nvcc takes them too; the places after them stay.
#include <cstdio>
#include <omp.h>

__global__ void add(int* p, int n) { atomicAdd(p, n); }

template <class T> struct Box { T inner; };

int main()
{
    int* p;
    cudaMallocManaged(&p, sizeof(int));
    *p = 0;
    add<< <1 << 2, 32>> >(p, 1);
    add << < 1, dim3(8, 2) >> > (p, 2);
    cudaDeviceSynchronize();
    Box<Box<int> > box{{3}};
    int shifted = 64 >> 1 >> 2;
    omp_set_num_threads(4);
    int sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 100; i++) sum += i * omp_get_num_threads();
    printf("%d %d %d %d %d\n", *p, box.inner.inner, shifted, sum, omp_get_thread_num());
    cudaFree(p);
    return 0;
}
