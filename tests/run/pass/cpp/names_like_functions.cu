// Functions of namespaces and classes that have the names of the compiler's and the library's, and their bodies elsewhere.
// also: aux/names_like_functions.cu
#include <cstdio>
#include "aux/names_like_functions.h"

int setjmp(double);

__global__ void kernel(int *out)
{
    int x = 0;
    mine::__syncthreads(&x);
    mine::S s;
    out[0] = mine::__popc(7) + x;
    out[1] = mine::__ffs(8, 1);
    out[2] = static_cast<int>(mine::sqrtf(9.0f));
    out[3] = s.__clz(1);
    out[4] = static_cast<int>(mine::cos(0.0));
}

int main()
{
    int *out;
    cudaMallocManaged(&out, 5 * sizeof(int));
    kernel<<<1, 1>>>(out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 5; i++)
        std::printf("%d ", out[i]);
    cudaFree(out);
    mine::S s;
    std::printf("\n%d %d %d %d ", mine::setjmp(1), mine::rotateleft32(1, 2), mine::printf(5), mine::S::strlen(7));
    std::printf("%d %d %d\n", s.memcpy(1, 2, 3), static_cast<int>(mine::sin(3.0)), mine::cudaDeviceSynchronize(3));
    std::printf("%d\n", mine::exit(4) + setjmp(2.0));
    mine::abort(3);
    std::puts("end");
}
