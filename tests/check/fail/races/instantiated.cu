// Kernels that templates are instantiated to are looked at, whether a launch, an address or the program itself
// instantiates them.
// flags: --block-dim 64 --grid-dim 1

template <int N> __global__ void folded(int *out) {
    __shared__ int s[64];
    s[threadIdx.x % N] = threadIdx.x; //~ ERROR shared-race
    out[threadIdx.x] = threadIdx.x;
}
template __global__ void folded<4>(int *);
// Each thread has an element of its own.
template __global__ void folded<64>(int *);

template <typename T> __global__ void launched(T *out) {
    __shared__ T s;
    s = T(threadIdx.x); //~ ERROR shared-race
    out[threadIdx.x] = T(threadIdx.x);
}
void launches(float *out) { launched<<<1, 64>>>(out); }

namespace inner {
template <typename T> __global__ void in_namespace(T *out) {
    out[0] = T(threadIdx.x); //~ ERROR global-race
}
template __global__ void in_namespace<long>(long *);
}
