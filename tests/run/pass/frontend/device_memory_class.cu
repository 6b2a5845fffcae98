// The destructor of a class template's instance runs: what it frees is no leak.
#include <cstdio>

template <class T> struct DeviceArray {
    T* p;
    explicit DeviceArray(int n) { cudaMalloc(&p, n * sizeof(T)); }
    ~DeviceArray() { cudaFree(p); }
    T* get() const { return p; }
};

__global__ void fill(int* p) { p[threadIdx.x] = threadIdx.x; }

int main()
{
    DeviceArray<int> d(32);
    fill<<<1, 32>>>(d.get());
    int x = 0;
    cudaMemcpy(&x, d.get() + 5, sizeof x, cudaMemcpyDeviceToHost);
    std::printf("%d\n", x);
}
