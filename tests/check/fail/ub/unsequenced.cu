// What nothing orders is found without a run, in what a kernel calls as well.
// flags: -std=c++17
__device__ int both(int i) {
    return i++ + i; //~ ERROR undefined-behavior: `i` is modified and used
}

__device__ int unused(int i) { return i++ + i++; }

__global__ void kernel(int *a) {
    int i = threadIdx.x;
    a[threadIdx.x] = both(i);
    a[i] = i++;
}
