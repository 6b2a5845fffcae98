// A launch through a pointer to what is no kernel is refused, by the host and in device code; one of a kernel is fine.
// revisions: host device fine
#include <cstdio>

typedef void (*Kernel)(int *, int);

__global__ void set(int *out, int x) {
    out[threadIdx.x] = x + threadIdx.x;
}

void on_host(int *out, int x) {
    out[0] = x;
}

__global__ void outer(int *out, Kernel given) {
    given<<<1, 2>>>(out, 3); //[device]~ ERROR invalid-launch
}

int main() {
    int *out, host[2];
    cudaMalloc(&out, sizeof(host));
    cudaMemset(out, 0, sizeof(host));
#if defined(REV_host)
    Kernel given = on_host;
    given<<<1, 2>>>(out, 3); //[host]~ ERROR invalid-launch
#elif defined(REV_device)
    outer<<<1, 1>>>(out, on_host);
#else
    Kernel given = set;
    given<<<1, 2>>>(out, 3);
    outer<<<1, 1>>>(out, set);
#endif
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    printf("%s\n", cudaGetErrorString(cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost)));
    printf("%d %d\n", host[0], host[1]);
    cudaFree(out);
    return 0;
}
