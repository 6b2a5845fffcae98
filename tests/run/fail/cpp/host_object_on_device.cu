// An object that the host made has the host's virtual functions, wherever its memory is.
// revisions: host device
#include <cstdio>
#include <new>

struct Animal {
    __host__ __device__ virtual int legs() const { return 4; }
};
struct Bird : Animal {
    __host__ __device__ int legs() const override { return 2; }
};

__global__ void count(const Animal *a, int *out) {
    *out = a->legs(); //[host]~ ERROR wrong-memory-space: device code reads `virtual table of Bird` (24 bytes), which is host memory
}

__global__ void make(Bird *at) { new (at) Bird; }

int main() {
    Bird *bird;
    int *out;
    cudaMallocManaged(&bird, sizeof(Bird));
    cudaMallocManaged(&out, sizeof(int));
    *out = 0;
#ifdef REV_host
    new (bird) Bird;
#else
    make<<<1, 1>>>(bird);
#endif
    count<<<1, 1>>>(bird, out);
    cudaDeviceSynchronize();
    printf("%d\n", *out);
    cudaFree(bird);
    cudaFree(out);
}
