// Arrays, textures and surfaces of the driver: what they are made of and tell, copies of each kind, and what is read.
#include <cstdint>
#include <cstdio>
#include <cuda.h>

static const char *name(CUresult e) {
    const char *text = "?";
    cuGetErrorName(e, &text);
    return text;
}
#define SAY(call) printf("%s: %s\n", #call, name(call))

__global__ void look(cudaTextureObject_t t, float *out) { out[threadIdx.x] = tex2D<float>(t, threadIdx.x, 1); }
__global__ void look_along(cudaTextureObject_t t, float *out) { out[threadIdx.x] = tex1Dfetch<float>(t, threadIdx.x); }
__global__ void put(cudaSurfaceObject_t s) { surf2Dwrite(100.0f + threadIdx.x, s, threadIdx.x * 4, 1); }

int main() {
    CUcontext context;
    cuInit(0);
    cuCtxCreate(&context, 0, 0);
    CUstream s;
    cuStreamCreate(&s, 0);
    float host[16], back[16];
    for (int i = 0; i < 16; i++)
        host[i] = i;
    CUdeviceptr d;
    cuMemAlloc(&d, sizeof host);
    cuMemcpyHtoD(d, host, sizeof host);

    // Making them.
    CUarray plane, line, box, level, none;
    CUmipmappedArray mipmap;
    CUDA_ARRAY_DESCRIPTOR two = {4, 4, CU_AD_FORMAT_FLOAT, 1}, one = {16, 0, CU_AD_FORMAT_FLOAT, 1}, bad, was;
    CUDA_ARRAY3D_DESCRIPTOR three = {4, 2, 2, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_SURFACE_LDST}, huge, tells;
    SAY(cuArrayCreate(&plane, &two));
    SAY(cuArrayCreate(&line, &one));
    SAY(cuArrayCreate(nullptr, &two));
    SAY(cuArrayCreate(&none, nullptr));
    bad = two;
    bad.NumChannels = 3;
    SAY(cuArrayCreate(&none, &bad));
    bad = two;
    bad.Format = (CUarray_format)0x77;
    SAY(cuArrayCreate(&none, &bad));
    bad = {131072, 65536, CU_AD_FORMAT_FLOAT, 4};
    SAY(cuArrayCreate(&none, &bad));
    SAY(cuArray3DCreate(&box, &three));
    SAY(cuArray3DCreate(nullptr, &three));
    SAY(cuArray3DCreate(&none, nullptr));
    huge = {16384, 16384, 16384, CU_AD_FORMAT_FLOAT, 1, 0};
    SAY(cuArray3DCreate(&none, &huge));
    huge.Width = SIZE_MAX;
    SAY(cuArray3DCreate(&none, &huge));
    CUDA_ARRAY3D_DESCRIPTOR layers = {4, 4, 0, CU_AD_FORMAT_FLOAT, 1, 0};
    SAY(cuMipmappedArrayCreate(&mipmap, &layers, 3));
    SAY(cuMipmappedArrayCreate(&mipmap, nullptr, 3));
    CUmipmappedArray vast;
    huge.Width = 16384;
    SAY(cuMipmappedArrayCreate(&vast, &huge, 3));
    SAY(cuMipmappedArrayCreate(nullptr, &layers, 3));
    SAY(cuMipmappedArrayGetLevel(&level, mipmap, 1));
    SAY(cuMipmappedArrayGetLevel(&level, mipmap, 9));
    SAY(cuMipmappedArrayGetLevel(nullptr, mipmap, 1));
    SAY(cuArrayGetDescriptor(&was, plane));
    printf("%zu %zu %x %u\n", was.Width, was.Height, was.Format, was.NumChannels);
    SAY(cuArrayGetDescriptor(nullptr, plane));
    SAY(cuArrayGetDescriptor(&was, nullptr));
    SAY(cuArray3DGetDescriptor(&tells, box));
    printf("%zu %zu %zu %x %u %x\n", tells.Width, tells.Height, tells.Depth, tells.Format, tells.NumChannels, tells.Flags);
    SAY(cuArray3DGetDescriptor(nullptr, box));
    SAY(cuArray3DGetDescriptor(&tells, level));
    printf("%zu %zu\n", tells.Width, tells.Height);
    CUDA_ARRAY_SPARSE_PROPERTIES sparse;
    CUDA_ARRAY_MEMORY_REQUIREMENTS needs;
    SAY(cuArrayGetSparseProperties(&sparse, plane));
    SAY(cuMipmappedArrayGetSparseProperties(&sparse, mipmap));
    SAY(cuArrayGetMemoryRequirements(&needs, plane, 0));
    SAY(cuMipmappedArrayGetMemoryRequirements(&needs, mipmap, 0));
    SAY(cuArrayGetPlane(&none, plane, 0));

    // Copies.
    SAY(cuMemcpyHtoA(line, 0, host, sizeof host));
    SAY(cuMemcpyAtoH(back, line, 8, 8));
    printf("%g %g\n", back[0], back[1]);
    SAY(cuMemcpyDtoA(line, 16, d, 16));
    SAY(cuMemcpyAtoD(d, line, 16, 8));
    SAY(cuMemcpyAtoA(line, 0, line, 32, 8));
    SAY(cuMemcpyHtoAAsync(line, 0, host, 16, s));
    SAY(cuMemcpyAtoHAsync(back, line, 0, 16, s));
    SAY(cuStreamSynchronize(s));
    SAY(cuMemcpyAtoH(nullptr, line, 0, 0));
    CUDA_MEMCPY2D copy = {};
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = host;
    copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.dstArray = plane;
    copy.WidthInBytes = 16;
    copy.Height = 4;
    SAY(cuMemcpy2D(&copy));
    CUDA_MEMCPY3D deep = {};
    deep.srcMemoryType = CU_MEMORYTYPE_HOST;
    deep.srcHost = host;
    deep.srcHeight = 2;
    deep.srcPitch = 16;
    deep.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    deep.dstArray = box;
    deep.WidthInBytes = 16;
    deep.Height = 2;
    deep.Depth = 2;
    SAY(cuMemcpy3D(&deep));
    deep.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    deep.srcArray = box;
    deep.srcZ = 1;
    deep.srcXInBytes = 4;
    deep.dstMemoryType = CU_MEMORYTYPE_HOST;
    deep.dstHost = back;
    deep.WidthInBytes = 8;
    deep.Height = deep.Depth = 1;
    SAY(cuMemcpy3D(&deep));
    printf("%g %g\n", back[0], back[1]);

    // Textures.
    CUtexObject texture;
    CUsurfObject surface;
    CUDA_RESOURCE_DESC resource = {}, of;
    CUDA_TEXTURE_DESC how = {}, used;
    CUDA_RESOURCE_VIEW_DESC view;
    resource.resType = CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = plane;
    how.addressMode[0] = how.addressMode[1] = CU_TR_ADDRESS_MODE_CLAMP;
    SAY(cuTexObjectCreate(&texture, &resource, &how, nullptr));
    look<<<1, 4>>>(texture, (float *)d);
    cuMemcpyDtoH(back, d, 16);
    printf("%g %g %g %g\n", back[0], back[1], back[2], back[3]);
    SAY(cuTexObjectGetResourceDesc(&of, texture));
    printf("%d\n", of.resType == CU_RESOURCE_TYPE_ARRAY && of.res.array.hArray == plane);
    SAY(cuTexObjectGetTextureDesc(&used, texture));
    printf("%d\n", used.addressMode[1]);
    SAY(cuTexObjectGetResourceViewDesc(&view, texture));
    SAY(cuTexObjectGetResourceDesc(nullptr, texture));
    SAY(cuTexObjectGetTextureDesc(nullptr, texture));
    SAY(cuTexObjectGetResourceDesc(&of, 77));
    SAY(cuTexObjectDestroy(texture));
    SAY(cuTexObjectCreate(nullptr, &resource, &how, nullptr));
    SAY(cuTexObjectCreate(&texture, nullptr, &how, nullptr));
    SAY(cuTexObjectCreate(&texture, &resource, nullptr, nullptr));
    resource = {};
    resource.resType = CU_RESOURCE_TYPE_LINEAR;
    resource.res.linear.devPtr = d;
    resource.res.linear.format = CU_AD_FORMAT_FLOAT;
    resource.res.linear.numChannels = 1;
    resource.res.linear.sizeInBytes = 64;
    SAY(cuTexObjectCreate(&texture, &resource, &how, nullptr));
    float *out;
    cudaMalloc(&out, 16);
    look_along<<<1, 4>>>(texture, out);
    cudaMemcpy(back, out, 16, cudaMemcpyDeviceToHost);
    printf("%g %g %g %g\n", back[0], back[1], back[2], back[3]);
    SAY(cuTexObjectDestroy(texture));
    resource = {};
    resource.resType = CU_RESOURCE_TYPE_ARRAY;
    CUDA_ARRAY3D_DESCRIPTOR written = {4, 4, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_SURFACE_LDST};
    SAY(cuArray3DCreate(&none, &written));
    resource.res.array.hArray = none;
    SAY(cuSurfObjectCreate(&surface, &resource));
    put<<<1, 4>>>(surface);
    SAY(cuSurfObjectGetResourceDesc(&of, surface));
    SAY(cuSurfObjectGetResourceDesc(nullptr, surface));
    SAY(cuSurfObjectCreate(nullptr, &resource));
    SAY(cuSurfObjectCreate(&surface, nullptr));
    copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.srcArray = none;
    copy.srcY = 1;
    copy.dstMemoryType = CU_MEMORYTYPE_HOST;
    copy.dstHost = back;
    copy.Height = 1;
    SAY(cuMemcpy2D(&copy));
    printf("%g %g %g %g\n", back[0], back[1], back[2], back[3]);
    SAY(cuSurfObjectDestroy(surface));
    SAY(cuArrayDestroy(none));
    SAY(cuArrayDestroy(plane));
    SAY(cuArrayDestroy(line));
    SAY(cuArrayDestroy(box));
    SAY(cuMipmappedArrayDestroy(mipmap));
    cudaFree(out);
    cuMemFree(d);
    cuStreamDestroy(s);
    cuCtxDestroy(context);
}
