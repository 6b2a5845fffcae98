// Two of many threads write one word: however far behind they come, and whatever others do there.
// revisions: near middle far loop right
#include <cstdio>

__global__ void scatter(int *p, int n, int wrong)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < n)
        p[t == wrong ? t + 1 : t] = t; //[near,middle,far]~ ERROR global-race
}

__global__ void turns(int *p, int n, int wrong)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        p[i == wrong ? i + 1 : i] = i; //[loop]~ ERROR global-race
}

int main()
{
    const int n = 200000;
    int *p;
    cudaMalloc(&p, n * sizeof *p + 8);
    int wrong = -1;
#if defined(REV_near)
    wrong = 500;
#elif defined(REV_middle)
    wrong = 99000;
#elif defined(REV_far)
    wrong = 199990;
#endif
    scatter<<<(n + 127) / 128, 128>>>(p, n, wrong);
#if defined(REV_loop)
    turns<<<1, 256>>>(p, n, 150003);
#else
    turns<<<1, 256>>>(p, n, -1);
#endif
    std::printf("%d\n", cudaDeviceSynchronize());
    cudaFree(p);
}
