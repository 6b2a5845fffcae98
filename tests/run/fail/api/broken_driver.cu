// A kernel that fails breaks the context for the driver too.
// revisions: trap deadlock
#include <cstdio>
#include <cuda.h>
static const char *name(CUresult e) {
    const char *text = "?";
    cuGetErrorName(e, &text);
    return text;
}
#define SAY(call) printf("%s: %s\n", #call, name(call))

__device__ volatile int flag;
extern "C" __global__ void trap(int *) { asm("trap;"); } //[trap]~ ERROR assertion-failed: executed a trap
extern "C" __global__ void waits(int *) {
    if (threadIdx.x == 0)
        while (flag == 0) {} //[deadlock]~ ERROR deadlock: no thread can go on
}

int main() {
    CUcontext context;
    CUmodule module;
    CUfunction f;
    CUdeviceptr d;
    CUevent e;
    CUgraph graph;
    CUgraphExec exec;
    int n;
    size_t size;
    float ms;
    cuInit(0);
    cuCtxCreate(&context, 0, 0);
    cuModuleLoadData(&module, "\x7f" "ELF: what the sources hold");
#ifdef REV_trap
    cuModuleGetFunction(&f, module, "trap");
#else
    cuModuleGetFunction(&f, module, "waits");
#endif
    cuMemAlloc(&d, 4);
    cuEventCreate(&e, CU_EVENT_DEFAULT);
    cuGraphCreate(&graph, 0);
    cuGraphInstantiate(&exec, graph, 0);
    void *args[] = {&d};
    SAY(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, nullptr, args, nullptr));
    SAY(cuEventRecord(e, nullptr));
    SAY(cuCtxSynchronize());
    SAY(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, nullptr, args, nullptr));
    SAY(cuLaunchCooperativeKernel(f, 1, 1, 1, 1, 1, 1, 0, nullptr, args));
    CUlaunchConfig config = {};
    SAY(cuLaunchKernelEx(&config, f, args, nullptr));
    SAY(cuLaunchCooperativeKernelMultiDevice(nullptr, 1, 0));
    SAY(cuEventQuery(e));
    SAY(cuEventSynchronize(e));
    SAY(cuEventElapsedTime(&ms, e, e));
    SAY(cuStreamSynchronize(nullptr));
    SAY(cuMemcpyDtoH(&n, d, 4));
    SAY(cuMemGetInfo(&size, &size));
    SAY(cuGraphLaunch(exec, nullptr));
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    // What needs no context still answers.
    SAY(cuDeviceGetCount(&n));
}
