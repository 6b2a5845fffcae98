// A flag by the compiler's atomic functions: an order or a scope that is too weak hands nothing on.
// revisions: relaxed narrow right
#include <cstdio>
#if defined(REV_relaxed)
#define RELEASE __NV_ATOMIC_RELAXED
#define SCOPE __NV_THREAD_SCOPE_DEVICE
#elif defined(REV_narrow)
#define RELEASE __NV_ATOMIC_RELEASE
#define SCOPE __NV_THREAD_SCOPE_BLOCK
#else
#define RELEASE __NV_ATOMIC_RELEASE
#define SCOPE __NV_THREAD_SCOPE_DEVICE
#endif

__global__ void hand_on(int *data, int *flag) {
    if (blockIdx.x == 0) {
        *data = 42;
        __nv_atomic_store_n(flag, 1, RELEASE, SCOPE);
    } else {
        while (!__nv_atomic_load_n(flag, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE)) //[narrow]~ ERROR global-race
            continue;
        *data += 1; //[relaxed,narrow]~ ERROR global-race
    }
}

int main() {
    int *d;
    cudaMalloc(&d, 8);
    cudaMemset(d, 0, 8);
    hand_on<<<2, 1>>>(d, d + 1);
    cudaFree(d);
}
