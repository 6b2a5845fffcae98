// Calls through pointers in device code: null, past a table, another type, a host function, a kernel; good ones are fine.
// revisions: null past type host kernel fine
#include <stdio.h>

typedef int (*Op)(int);

__device__ int twice(int x) { return 2 * x; }
__device__ int next(int x) { return x + 1; }
__device__ float half_of(float x) { return x / 2; }
int on_host(int x) { return x; }
__global__ void kernel(int *out, int x) { out[x] = x; }

__device__ Op table[3] = {twice, next};

__global__ void launched(int *out, void (*given)(int *, int)) {
    given(out, threadIdx.x); //[kernel]~ ERROR undefined-behavior
}

__global__ void apply(int *out, int n, Op given) {
    int t = threadIdx.x;
#if defined(REV_null)
    Op f = table[t % 3];
    out[t] = f(t); //[null]~ ERROR undefined-behavior
#elif defined(REV_past)
    Op f = table[t % 3 + n]; //[past]~ ERROR out-of-bounds
    out[t] = f(t);
#elif defined(REV_type)
    Op f = t == 5 ? (Op)half_of : twice;
    out[t] = f(t); //[type]~ ERROR undefined-behavior
#elif defined(REV_host)
    out[t] = given(t); //[host]~ ERROR undefined-behavior
#else
    Op f = t & 1 ? next : table[t % 2];
    out[t] = f(t) + (given ? 1 : 0);
#endif
}

int main() {
    int *out, host[6];
    cudaMalloc(&out, sizeof(host));
#ifdef REV_host
    apply<<<1, 6>>>(out, 3, on_host);
#elif defined(REV_kernel)
    launched<<<1, 6>>>(out, kernel);
#else
    apply<<<1, 6>>>(out, 3, nullptr);
#endif
    if (cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost) == cudaSuccess) {
#ifdef REV_fine
        for (int x : host)
            printf("%d ", x);
        printf("\n");
#endif
    }
    cudaFree(out);
    return 0;
}
