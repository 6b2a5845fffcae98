// The driver's virtual memory, arrays and textures.
#include <cstdio>
#include <cstring>
#include <cuda.h>

__global__ void put(int* p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] = 2 * i;
}

__global__ void fetch(cudaTextureObject_t t, float* out) {
    out[threadIdx.x] = tex2D<float>(t, threadIdx.x + 0.5f, 1.5f);
}

int main() {
    cuInit(0);
    CUmemAllocationProp prop = {};
    prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    size_t piece = 0;
    printf("%d", cuMemGetAllocationGranularity(&piece, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    CUdeviceptr range;
    printf(" %d", cuMemAddressReserve(&range, 2 * piece, 0, 0, 0));
    printf(" %d\n", cuMemAddressReserve(&range, piece + 1, 0, 0, 0));
    CUmemGenericAllocationHandle handles[2];
    CUmemAccessDesc access = {{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    printf("%d", cuMemSetAccess(range, 2 * piece, &access, 1));
    for (int i = 0; i < 2; i++) {
        printf(" %d", cuMemCreate(&handles[i], piece, &prop, 0));
        printf(" %d", cuMemMap(range + i * piece, piece, 0, handles[i], 0));
        printf(" %d", cuMemMap(range + i * piece, piece, 0, handles[i], 0));
        printf(" %d", cuMemRelease(handles[i]));
    }
    printf(" %d\n", cuMemSetAccess(range, 2 * piece, &access, 1));
    int n = 2 * piece / sizeof(int), last[2];
    put<<<(n + 255) / 256, 256>>>((int*)range, n);
    cuMemcpyDtoH(last, range + 2 * piece - sizeof last, sizeof last);
    printf("%d %d\n", last[0] == 2 * n - 4, last[1] == 2 * n - 2);
    printf("%d", cuMemUnmap(range, piece + 1));
    printf(" %d", cuMemUnmap(range, 2 * piece));
    printf(" %d\n", cuMemAddressFree(range, 2 * piece));

    CUDA_ARRAY_DESCRIPTOR description = {4, 2, CU_AD_FORMAT_FLOAT, 1};
    CUarray array;
    printf("%d", cuArrayCreate(&array, &description));
    float host[8] = {0, 1, 2, 3, 10, 11, 12, 13}, back[8], out[4];
    CUDA_MEMCPY2D copy;
    memset(&copy, 0, sizeof copy);
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = host;
    copy.srcPitch = copy.WidthInBytes = 4 * sizeof(float);
    copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.dstArray = array;
    copy.Height = 2;
    printf(" %d", cuMemcpy2D(&copy));
    CUDA_RESOURCE_DESC resource;
    CUDA_TEXTURE_DESC how;
    memset(&resource, 0, sizeof resource);
    memset(&how, 0, sizeof how);
    resource.resType = CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = array;
    how.filterMode = CU_TR_FILTER_MODE_POINT;
    for (auto& mode : how.addressMode)
        mode = CU_TR_ADDRESS_MODE_CLAMP;
    CUtexObject texture;
    printf(" %d", cuTexObjectCreate(&texture, &resource, &how, nullptr));
    CUdeviceptr d;
    cuMemAlloc(&d, sizeof out);
    fetch<<<1, 4>>>(texture, (float*)d);
    cuMemcpyDtoH(out, d, sizeof out);
    printf(" %g %g %g %g\n", out[0], out[1], out[2], out[3]);
    memset(&copy, 0, sizeof copy);
    copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.srcArray = array;
    copy.srcXInBytes = sizeof(float);
    copy.dstMemoryType = CU_MEMORYTYPE_HOST;
    copy.dstHost = back;
    copy.dstPitch = copy.WidthInBytes = 2 * sizeof(float);
    copy.Height = 2;
    printf("%d", cuMemcpy2D(&copy));
    printf(" %g %g %g %g\n", back[0], back[1], back[2], back[3]);
    printf("%d", cuTexObjectDestroy(texture));
    printf(" %d\n", cuArrayDestroy(array));
    cuMemFree(d);
}
