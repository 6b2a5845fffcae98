// Halves, atomics and elements of vectors in lists of numbers, on host and device.
// std: c++14
#include <atomic>
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <thrust/device_vector.h>

struct Sample {
    float value;
    int count;
};

__global__ void kernel(float *out)
{
    __half h = __float2half(1.5f + threadIdx.x);
    __nv_bfloat16 b = __float2bfloat16(3.0f);
    const float list[3] = {h, b, h};
    Sample s = {h, 2};
    for (int i = 0; i < 3; i++)
        out[threadIdx.x * 4 + i] = list[i];
    out[threadIdx.x * 4 + 3] = s.value * s.count;
}

int main()
{
    __half h = __float2half(2.5f);
    float list[2] = {h, h};
    std::atomic<int> n(4);
    int counts[] = {n, n};
    thrust::device_vector<int> v(2, 7);
    int elements[] = {v[0], v[1]};
    std::printf("%g %d %d\n", list[1], counts[1], elements[1]);
    float *out;
    cudaMallocManaged(&out, 8 * sizeof(float));
    kernel<<<1, 2>>>(out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 8; i++)
        std::printf("%g ", out[i]);
    std::puts("");
    cudaFree(out);
    return 0;
}
