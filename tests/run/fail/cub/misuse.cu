// Ranges and temporary memory that are too short, told at the call, and storage used again without a barrier.
// revisions: short memory again functor right
// std: c++14
#include <cub/cub.cuh>

#include <cstdio>

struct Above {
    const int* limits;
    __device__ bool operator()(int x) const {
        return x > limits[x]; //[functor]~ ERROR out-of-bounds
    }
};

__global__ void sums(const int* in, int* out) {
    typedef cub::BlockReduce<int, 128> Reduce;
    __shared__ typename Reduce::TempStorage temp;
    const int first = Reduce(temp).Sum(in[threadIdx.x]); //[again]~ ERROR shared-race
#ifndef REV_again
    __syncthreads();
#endif
    const int second = Reduce(temp).Sum(in[threadIdx.x] * 2); //[again]~ RELATED shared-race
    if (threadIdx.x == 0) {
        out[0] = first;
        out[1] = second;
    }
}

int main() {
    const int n = 1000;
    int *in, *out, *count;
    cudaMalloc(&in, n * sizeof(int));
    cudaMalloc(&out, n * sizeof(int));
    cudaMalloc(&count, sizeof(int));
    cudaMemset(in, 0, n * sizeof(int));
    cudaMemset(in + n / 2, 1, 100 * sizeof(int));
    cudaMemset(out, 0, n * sizeof(int));
    void* temp = nullptr;
    size_t bytes = 0;
    cub::DeviceRadixSort::SortKeys(temp, bytes, in, out, n);
#ifdef REV_memory
    cudaMalloc(&temp, bytes / 2);
#else
    cudaMalloc(&temp, bytes);
#endif
#ifdef REV_short
    cub::DeviceRadixSort::SortKeys(temp, bytes, in, out + 1, n); //[short]~ ERROR out-of-bounds
#else
    cub::DeviceRadixSort::SortKeys(temp, bytes, in, out, n); //[memory]~ ERROR out-of-bounds
#endif
#ifdef REV_functor
    cudaMemset(in, 1, 10 * sizeof(int));
    cub::DeviceSelect::If(temp, bytes, in, out, count, n, Above{out});
#endif
#ifdef REV_right
    cudaMemset(in, 0, n * sizeof(int));
    cub::DeviceSelect::If(temp, bytes, in, out, count, n, Above{out});
#endif
    sums<<<1, 128>>>(in, out);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaFree(temp);
    cudaFree(count);
    cudaFree(out);
    cudaFree(in);
    return 0;
}
