// A kernel that fails breaks the context: every call gives the error from then on.
// revisions: trap deadlock
#include <cstdio>
#ifdef REV_trap
#define HOW trap
#else
#define HOW waits
#endif

#define SAY(call) printf("%s: %s\n", #call, cudaGetErrorName(call))

__device__ volatile int flag;
__global__ void trap(int *) { asm("trap;"); } //[trap]~ ERROR assertion-failed: executed a trap
__global__ void waits(int *) {
    if (threadIdx.x == 0)
        while (flag == 0) {} //[deadlock]~ ERROR deadlock: no thread can go on
}

int main() {
    int *d, n;
    cudaMalloc(&d, 4);
    cudaEvent_t e, f;
    cudaEventCreate(&e);
    cudaEventCreate(&f);
    void *args[] = {&d};
    float ms;
    size_t bytes;
    HOW<<<1, 1>>>(d);
    cudaEventRecord(e);
    SAY(cudaDeviceSynchronize());
    SAY(cudaGetLastError());
    SAY(cudaPeekAtLastError());
    SAY(cudaEventCreate(&f));
    SAY(cudaEventCreateWithFlags(&f, 0));
    SAY(cudaEventRecord(f));
    SAY(cudaEventRecordWithFlags(f, 0, 0));
    SAY(cudaEventQuery(f));
    SAY(cudaEventSynchronize(f));
    SAY(cudaEventElapsedTime(&ms, e, f));
    SAY(cudaEventElapsedTime_v2(&ms, e, f));
    SAY(cudaMemGetInfo(&bytes, &bytes));
    SAY(cudaMemcpy(&n, d, 4, cudaMemcpyDeviceToHost));
    SAY(cudaMemset(d, 0, 4));
    SAY(cudaLaunchKernel((const void *)HOW, dim3(1), dim3(1), args, 0, 0));
    SAY(cudaLaunchCooperativeKernel((const void *)HOW, dim3(1), dim3(1), args, 0, 0));
    cudaLaunchConfig_t config = {};
    config.gridDim = config.blockDim = dim3(1);
    SAY(cudaLaunchKernelExC(&config, (const void *)HOW, args));
    SAY(cudaLaunchCooperativeKernelMultiDevice(nullptr, 1, 0));
    SAY(cudaStreamSynchronize(0));
    SAY(cudaFree(d));
    SAY(cudaGetLastError());
    // What needs no context still answers.
    SAY(cudaGetDevice(&n));
}
