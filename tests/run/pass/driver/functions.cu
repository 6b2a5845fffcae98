// Kernels of the driver: modules and libraries, attributes, launches of each form, occupancy, names.
#include <cstdio>
#include <cstring>
#include <cuda.h>

static const char *name(CUresult e) {
    const char *text = "?";
    cuGetErrorName(e, &text);
    return text;
}
#define SAY(call) printf("%s: %s\n", #call, name(call))

extern "C" __device__ int counter = 5;
extern "C" __managed__ int both = 6;
extern "C" __global__ void add(int *p, int n) { *p += n * blockDim.x; }
extern "C" __global__ void __launch_bounds__(128) shared_by(int *p) {
    __shared__ int box[64];
    box[threadIdx.x % 64] = 1;
    __syncthreads();
    if (threadIdx.x == 0)
        *p = box[0] + counter + both;
}
static size_t none(int) { return 0; }
static void CUDART_CB note(void *word) { ++*(int *)word; }

int main() {
    CUcontext context;
    cuInit(0);
    cuCtxCreate(&context, 0, 0);
    CUmodule module, of;
    CUfunction f, g, list[8];
    CUlibrary library, where;
    CUkernel kernel, kernels[8];
    CUdeviceptr d, variable;
    size_t bytes, offset;
    unsigned count;
    int value, blocks, block, grid, n = 3;
    const char *text;
    cuMemAlloc(&d, 4);

    // Modules and libraries.
    SAY(cuModuleLoad(&module, "no such file"));
    SAY(cuModuleLoad(nullptr, "no such file"));
    SAY(cuModuleLoad(&module, nullptr));
    SAY(cuModuleLoad(&of, __FILE__));
    SAY(cuModuleLoadData(&of, "no image"));
    SAY(cuModuleLoad(&module, "tests/run/pass/driver/aux/image.cubin"));
    SAY(cuModuleUnload(module));
    SAY(cuModuleLoadData(&module, nullptr));
    SAY(cuModuleLoadData(nullptr, "x"));
    SAY(cuModuleLoadData(&module, "\x7f" "ELF: what the sources hold"));
    SAY(cuModuleLoadDataEx(&of, "\x7f" "ELF: what the sources hold", 0, nullptr, nullptr));
    SAY(cuModuleUnload(of));
    SAY(cuModuleLoadDataEx(&of, nullptr, 0, nullptr, nullptr));
    SAY(cuModuleLoadFatBinary(&of, "\x7f" "ELF: what the sources hold"));
    SAY(cuModuleUnload(of));
    SAY(cuModuleLoadFatBinary(&of, nullptr));
    SAY(cuModuleGetFunction(&f, module, "add"));
    SAY(cuModuleGetFunction(&g, module, "shared_by"));
    SAY(cuModuleGetFunction(&g, module, "nowhere"));
    SAY(cuModuleGetFunction(nullptr, module, "add"));
    SAY(cuModuleGetFunction(&g, module, nullptr));
    SAY(cuModuleGetFunction(&g, module, "shared_by"));
    SAY(cuModuleGetFunctionCount(&count, module));
    SAY(cuModuleGetFunctionCount(nullptr, module));
    printf("%u\n", count);
    SAY(cuModuleEnumerateFunctions(list, 8, module));
    SAY(cuModuleEnumerateFunctions(nullptr, 8, module));
    printf("%d\n", list[0] == f && list[1] == g || list[0] == g && list[1] == f);
    SAY(cuModuleGetGlobal(&variable, &bytes, module, "counter"));
    printf("%zu bytes\n", bytes);
    SAY(cuModuleGetGlobal(nullptr, nullptr, module, "counter"));
    SAY(cuModuleGetGlobal(&variable, &bytes, module, "nowhere"));
    SAY(cuModuleGetGlobal(&variable, &bytes, module, nullptr));
    CUmoduleLoadingMode mode;
    SAY(cuModuleGetLoadingMode(&mode));
    SAY(cuModuleGetLoadingMode(nullptr));
    SAY(cuLibraryLoadData(&library, "\x7f" "ELF: what the sources hold", nullptr, nullptr, 0, nullptr, nullptr, 0));
    SAY(cuLibraryLoadData(&where, nullptr, nullptr, nullptr, 0, nullptr, nullptr, 0));
    SAY(cuLibraryLoadFromFile(&where, "tests/run/pass/driver/aux/image.cubin", nullptr, nullptr, 0, nullptr, nullptr, 0));
    SAY(cuLibraryUnload(where));
    SAY(cuLibraryLoadFromFile(&where, nullptr, nullptr, nullptr, 0, nullptr, nullptr, 0));
    SAY(cuLibraryLoadFromFile(&where, "no such file", nullptr, nullptr, 0, nullptr, nullptr, 0));
    SAY(cuLibraryGetKernel(&kernel, library, "add"));
    SAY(cuLibraryGetKernel(&kernel, library, "nowhere"));
    SAY(cuLibraryGetKernel(nullptr, library, "add"));
    SAY(cuLibraryGetKernelCount(&count, library));
    SAY(cuLibraryGetKernelCount(nullptr, library));
    SAY(cuLibraryEnumerateKernels(kernels, 8, library));
    SAY(cuLibraryEnumerateKernels(kernels, 0, library));
    SAY(cuLibraryGetModule(&of, library));
    SAY(cuLibraryGetModule(nullptr, library));
    SAY(cuLibraryGetGlobal(&variable, &bytes, library, "counter"));
    SAY(cuLibraryGetGlobal(&variable, &bytes, library, "nowhere"));
    SAY(cuLibraryGetGlobal(&variable, &bytes, library, nullptr));
    SAY(cuLibraryGetManaged(&variable, &bytes, library, "both"));
    printf("%d\n", *(int *)variable);
    SAY(cuLibraryGetManaged(&variable, &bytes, library, "counter"));
    SAY(cuLibraryGetManaged(&variable, &bytes, library, nullptr));
    void *unified;
    SAY(cuLibraryGetUnifiedFunction(&unified, library, "add"));
    SAY(cuLibraryGetUnifiedFunction(nullptr, library, "add"));
    SAY(cuKernelGetFunction(&f, kernel));
    SAY(cuKernelGetFunction(nullptr, kernel));
    SAY(cuKernelGetFunction(&g, nullptr));
    SAY(cuKernelGetLibrary(&where, kernel));
    SAY(cuKernelGetLibrary(nullptr, kernel));
    SAY(cuKernelGetLibrary(&where, nullptr));
    SAY(cuFuncGetModule(&of, f));
    SAY(cuFuncGetModule(nullptr, f));
    SAY(cuFuncGetModule(&of, nullptr));
    CUfunctionLoadingState state;
    SAY(cuFuncIsLoaded(&state, f));
    SAY(cuFuncIsLoaded(nullptr, f));
    SAY(cuFuncIsLoaded(&state, nullptr));
    SAY(cuFuncLoad(f));
    SAY(cuFuncLoad(nullptr));

    // Attributes.
    SAY(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, g));
    printf("%d\n", value);
    SAY(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, g));
    printf("%d\n", value);
    SAY(cuFuncGetAttribute(&value, (CUfunction_attribute)99, g));
    SAY(cuFuncGetAttribute(nullptr, CU_FUNC_ATTRIBUTE_NUM_REGS, g));
    SAY(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, nullptr));
    SAY(cuFuncSetAttribute(g, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 65536));
    SAY(cuFuncSetAttribute(g, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1 << 30));
    SAY(cuFuncSetAttribute(nullptr, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1));
    SAY(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, g));
    printf("%d\n", value);
    SAY(cuFuncSetCacheConfig(f, CU_FUNC_CACHE_PREFER_SHARED));
    SAY(cuFuncSetCacheConfig(f, (CUfunc_cache)9));
    SAY(cuFuncSetSharedMemConfig(f, CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE));
    SAY(cuFuncSetSharedMemConfig(f, (CUsharedconfig)9));
    SAY(cuFuncGetName(&text, f));
    printf("%s\n", text);
    SAY(cuFuncGetName(nullptr, f));
    SAY(cuFuncGetParamInfo(f, 1, &offset, &bytes));
    printf("%zu %zu\n", offset, bytes);
    SAY(cuFuncGetParamInfo(f, 2, &offset, &bytes));
    SAY(cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel, 0));
    SAY(cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel, 7));
    SAY(cuKernelGetAttribute(&value, (CUfunction_attribute)99, kernel, 0));
    SAY(cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, nullptr, 0));
    SAY(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1024, kernel, 0));
    SAY(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, -1, kernel, 0));
    SAY(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1024, kernel, 7));
    SAY(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1024, nullptr, 0));
    SAY(cuKernelSetCacheConfig(kernel, CU_FUNC_CACHE_PREFER_L1, 0));
    SAY(cuKernelSetCacheConfig(kernel, (CUfunc_cache)9, 0));
    SAY(cuKernelSetCacheConfig(kernel, CU_FUNC_CACHE_PREFER_L1, 7));
    SAY(cuKernelSetCacheConfig(nullptr, CU_FUNC_CACHE_PREFER_L1, 0));
    SAY(cuKernelGetName(&text, kernel));
    SAY(cuKernelGetName(nullptr, kernel));
    SAY(cuKernelGetParamInfo(kernel, 0, &offset, &bytes));
    SAY(cuKernelGetParamInfo(kernel, 9, &offset, &bytes));

    // Occupancy.
    SAY(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, g, 64, 0));
    SAY(cuOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, g, 64, 0));
    SAY(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&value, g, 64, 0, CU_OCCUPANCY_DEFAULT));
    printf("%d\n", blocks == value);
    SAY(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&value, g, 64, 0, 9));
    SAY(cuOccupancyAvailableDynamicSMemPerBlock(&bytes, g, 1, 64));
    SAY(cuOccupancyAvailableDynamicSMemPerBlock(&bytes, g, 0, 64));
    SAY(cuOccupancyMaxPotentialBlockSize(&grid, &block, g, nullptr, 0, 0));
    printf("%d\n", block);
    SAY(cuOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, g, none, 0, 32, 0));
    printf("%d\n", block);
    SAY(cuOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, g, none, 0, 0, 9));
    SAY(cuOccupancyMaxPotentialBlockSize(nullptr, &block, g, none, 0, 0));

    // Launches.
    void *args[] = {&d, &n};
    cuMemsetD32(d, 0, 1);
    SAY(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, nullptr, args, nullptr));
    struct { CUdeviceptr p; int n; } packed = {d, 10};
    size_t size = sizeof packed;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
    SAY(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra));
    SAY(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, nullptr, args, extra));
    SAY(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
    SAY(cuLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, args, nullptr));
    SAY(cuLaunchCooperativeKernel(f, 1, 1, 1, 1, 1, 1, 0, nullptr, args));
    SAY(cuLaunchCooperativeKernel(f, 1 << 20, 1, 1, 1024, 1, 1, 0, nullptr, args));
    SAY(cuLaunchCooperativeKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, args));
    CUlaunchConfig config = {};
    config.gridDimX = config.gridDimY = config.gridDimZ = config.blockDimX = config.blockDimY = config.blockDimZ = 1;
    SAY(cuLaunchKernelEx(&config, f, args, nullptr));
    SAY(cuLaunchKernelEx(nullptr, f, args, nullptr));
    SAY(cuLaunchKernelEx(&config, f, nullptr, nullptr));
    SAY(cuLaunchKernelEx(&config, nullptr, args, nullptr));
    SAY(cuLaunchCooperativeKernel(f, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr));
    CUlaunchAttribute together = {};
    together.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
    together.value.cooperative = 1;
    config.gridDimX = 1 << 20;
    config.attrs = &together;
    config.numAttrs = 1;
    SAY(cuLaunchKernelEx(&config, f, args, nullptr));
    CUlaunchAttribute pairs = {};
    pairs.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    pairs.value.clusterDim.x = 2;
    pairs.value.clusterDim.y = pairs.value.clusterDim.z = 1;
    config.gridDimX = 2;
    config.attrs = &pairs;
    SAY(cuOccupancyMaxActiveClusters(&value, f, &config));
    printf("%d\n", value > 0);
    SAY(cuOccupancyMaxActiveClusters(&value, f, nullptr));
    SAY(cuOccupancyMaxActiveClusters(nullptr, f, &config));
    config.numAttrs = 0;
    SAY(cuOccupancyMaxActiveClusters(&value, f, &config));
    SAY(cuOccupancyMaxPotentialClusterSize(&value, f, &config));
    printf("%d\n", value);
    SAY(cuOccupancyMaxPotentialClusterSize(nullptr, f, &config));
    SAY(cuOccupancyMaxPotentialClusterSize(&value, f, nullptr));
    SAY(cuLaunchCooperativeKernelMultiDevice(nullptr, 1, 0));
    int noted = 0;
    SAY(cuLaunchHostFunc(nullptr, note, &noted));
    SAY(cuLaunchHostFunc(nullptr, nullptr, &noted));
    SAY(cuCtxSynchronize());
    cuMemcpyDtoH(&value, d, 4);
    printf("%d %d\n", value, noted);

    // By their names.
    void *entry;
    CUdriverProcAddressQueryResult result;
    SAY(cuGetProcAddress("cuMemFree", &entry, 12000, CU_GET_PROC_ADDRESS_DEFAULT, &result));
    printf("%d\n", result);
    SAY(((CUresult(*)(CUdeviceptr))entry)(d));
    SAY(cuGetProcAddress("cuNothing", &entry, 12000, CU_GET_PROC_ADDRESS_DEFAULT, &result));
    printf("%d %d\n", result, entry == nullptr);
    SAY(cuGetProcAddress("cuNothing", &entry, 12000, CU_GET_PROC_ADDRESS_DEFAULT, nullptr));
    SAY(cuGetProcAddress("cuMemFree", nullptr, 12000, CU_GET_PROC_ADDRESS_DEFAULT, &result));
    SAY(cuGetProcAddress(nullptr, &entry, 12000, CU_GET_PROC_ADDRESS_DEFAULT, &result));
    cuMemAlloc(&d, 4);
    cuMemFree(d);

    SAY(cuLibraryUnload(library));
    SAY(cuModuleUnload(module));
    cuCtxDestroy(context);
}
