// nvcc's own header brings <cmath> and <cstdlib> along, and with them what programs use of namespace std.
// std: c++17
#include <cstdio>

__global__ void k(float* p) { p[threadIdx.x] = sqrtf(p[threadIdx.x]) + max(1, 2); }

struct Params {
    float range = 7.5f;
    int steps() const { return (int)std::round(range / 0.5f); }
};

int main()
{
    float* p;
    cudaMallocManaged(&p, 4 * sizeof(float));
    for (int i = 0; i < 4; i++) p[i] = std::pow(2.0f, 2.0f * i);
    k<<<1, 4>>>(p);
    cudaDeviceSynchronize();
    printf("%g %g %d %g %d %g\n", p[0], p[3], Params().steps(), std::max(1.5, std::sqrt(4.0)), std::abs(-3),
           std::fabs(-2.5f));
    cudaFree(p);
    return 0;
}
