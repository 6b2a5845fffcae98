// The driver's modules: kernels and variables by name, parameters one by one and in a buffer.
#include <cstdio>
#include <cuda.h>

struct Pair {
    char a;
    double b;
};

__device__ int scale = 2;

extern "C" __global__ void add(const int* a, const int* b, int* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = (a[i] + b[i]) * scale;
}

extern "C" __global__ void mixed(char first, Pair p, float f, long long* out) {
    out[threadIdx.x] = first * 1000 + p.a * 100 + (long long)p.b * 10 + (long long)f;
}

int main() {
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction function, other;
    cuInit(0);
    cuDeviceGet(&device, 0);
    cuCtxCreate(&context, 0, device);
    printf("%d", cuModuleLoad(&module, "/no/such/file.fatbin"));
    printf(" %d", cuModuleLoadData(&module, "\x7f" "ELF: an image"));
    printf(" %d", cuModuleGetFunction(&function, module, "add"));
    printf(" %d", cuModuleGetFunction(&other, module, "nothing"));
    printf(" %d\n", cuModuleGetFunction(&other, module, "mixed"));

    CUdeviceptr variable, a, b, c;
    size_t size;
    printf("%d", cuModuleGetGlobal(&variable, &size, module, "scale"));
    printf(" %zu", size);
    printf(" %d\n", cuModuleGetGlobal(&variable, &size, module, "scales"));
    cuModuleGetGlobal(&variable, nullptr, module, "scale");
    int three = 3;
    cuMemcpyHtoD(variable, &three, sizeof three);

    int host[4] = {1, 2, 3, 4}, n = 4;
    cuMemAlloc(&a, sizeof host);
    cuMemAlloc(&b, sizeof host);
    cuMemAlloc(&c, sizeof host);
    cuMemcpyHtoD(a, host, sizeof host);
    cuMemcpyHtoD(b, host, sizeof host);
    void* parameters[] = {&a, &b, &c, &n};
    printf("%d", cuLaunchKernel(function, 1, 1, 1, 4, 1, 1, 0, nullptr, parameters, nullptr));
    printf(" %d", cuCtxSynchronize());
    cuMemcpyDtoH(host, c, sizeof host);
    printf(" %d %d %d %d\n", host[0], host[1], host[2], host[3]);

    CUdeviceptr out;
    cuMemAlloc(&out, 2 * sizeof(long long));
    struct {
        char first;
        Pair p;
        float f;
        CUdeviceptr out;
    } all = {1, {2, 3.5}, 4.5f, out};
    size_t bytes = sizeof all;
    void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &all, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                     CU_LAUNCH_PARAM_END};
    printf("%d", cuLaunchKernel(other, 1, 1, 1, 2, 1, 1, 0, nullptr, nullptr, extra));
    long long result[2];
    cuMemcpyDtoH(result, out, sizeof result);
    printf(" %lld %lld", result[0], result[1]);
    bytes = 8;
    printf(" %d", cuLaunchKernel(other, 1, 1, 1, 2, 1, 1, 0, nullptr, nullptr, extra));
    printf(" %d\n", cuLaunchKernel(other, 1, 1, 1, 2, 1, 1, 0, nullptr, nullptr, nullptr));

    int threads = 0, grid = 0, block = 0;
    printf("%d", cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function));
    printf(" %d", threads);
    printf(" %d", cuOccupancyMaxPotentialBlockSize(&grid, &block, function, nullptr, 0, 0));
    printf(" %d\n", block > 0 && grid > 0);
    printf("%d", cuModuleUnload(module));
    printf("\n");
    cuMemFree(a);
    cuMemFree(b);
    cuMemFree(c);
    cuMemFree(out);
    cuCtxDestroy(context);
}
