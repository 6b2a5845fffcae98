// Device functions that end without their value, in some threads; a value that is not asked for, a trap, a loop without end are fine.
// revisions: branch loop lambda fine
#include <stdio.h>

__device__ int sign(int x) {
    if (x > 0) return 1;
    if (x < 0) return -1;
} //[branch]~ ERROR undefined-behavior

__device__ int find(const int *v, int n, int what) {
    for (int i = 0; i < n; i++)
        if (v[i] == what) return i;
} //[loop]~ ERROR undefined-behavior

__device__ int one_of(int k) {
    switch (k & 1) {
    case 0: return 5;
    case 1: return 6;
    }
    __trap();
}

__global__ void kernel(int *out) {
    int t = threadIdx.x;
    const int v[4] = {3, 1, 0, 2};
#if defined(REV_branch)
    out[t] = sign(t - 2);
#elif defined(REV_loop)
    out[t] = find(v, 4, t);
#elif defined(REV_lambda)
    auto pick = [](int x) -> int {
        if (x < 4) return x;
    }; //[lambda]~ ERROR undefined-behavior
    out[t] = pick(t);
#else
    out[t] = sign(t - 9) + find(v, 4, t % 4) + one_of(t);
#endif
}

int main() {
    int *out, host[8];
    cudaMalloc(&out, sizeof(host));
    kernel<<<1, 8>>>(out);
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
