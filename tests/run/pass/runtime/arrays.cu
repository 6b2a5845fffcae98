// Arrays and the objects that read them: copies in every form, what they tell of themselves, what they refuse.
#include <cstdio>
#include <cstring>

#define SAY(call) printf("%s: %s\n", #call, cudaGetErrorName(call))

__global__ void fetch(cudaTextureObject_t t, float *out) { out[threadIdx.x] = tex2D<float>(t, threadIdx.x % 4, threadIdx.x / 4); }

int main() {
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>(), told;
    cudaArray_t a, b, box;
    SAY(cudaMallocArray(&a, &format, 4, 3));
    SAY(cudaMallocArray(&b, &format, 4, 3));
    SAY(cudaMalloc3DArray(&box, &format, make_cudaExtent(4, 3, 2)));
    SAY(cudaMallocArray(nullptr, &format, 4, 3));
    SAY(cudaMallocArray(&b, nullptr, 4, 3));
    cudaExtent extent;
    unsigned flags = 9;
    SAY(cudaArrayGetInfo(&told, &extent, &flags, box));
    printf("%zu x %zu x %zu, %d bits, flags %u\n", extent.width, extent.height, extent.depth, told.x, flags);
    SAY(cudaArrayGetInfo(nullptr, nullptr, nullptr, a));
    SAY(cudaGetChannelDesc(&told, a));
    printf("%d %d %d %d kind %d\n", told.x, told.y, told.z, told.w, (int)told.f);

    float host[12], back[24];
    for (int i = 0; i < 12; i++) host[i] = i + 0.5f;
    cudaStream_t s;
    cudaStreamCreate(&s);
    const size_t row = 4 * sizeof(float);
    SAY(cudaMemcpyToArray(a, 0, 0, host, sizeof host, cudaMemcpyHostToDevice));
    SAY(cudaMemcpyFromArray(back, a, 0, 1, row, cudaMemcpyDeviceToHost));
    printf("%g %g\n", back[0], back[3]);
    SAY(cudaMemcpyToArrayAsync(a, 4, 2, host, 8, cudaMemcpyHostToDevice, s));
    SAY(cudaMemcpyFromArrayAsync(back, a, 0, 2, row, cudaMemcpyDeviceToHost, s));
    SAY(cudaStreamSynchronize(s));
    printf("%g %g %g %g\n", back[0], back[1], back[2], back[3]);
    SAY(cudaMemcpy2DToArrayAsync(b, 0, 0, host, row, row, 3, cudaMemcpyHostToDevice, s));
    SAY(cudaMemcpy2DFromArrayAsync(back, 8, b, 8, 1, 8, 2, cudaMemcpyDeviceToHost, s));
    SAY(cudaStreamSynchronize(s));
    printf("%g %g %g %g\n", back[0], back[1], back[2], back[3]);
    SAY(cudaMemcpy2DArrayToArray(a, 0, 0, b, 8, 0, 8, 3));
    SAY(cudaMemcpy2DFromArray(back, row, a, 0, 0, row, 3, cudaMemcpyDeviceToHost));
    printf("%g %g %g %g\n", back[0], back[1], back[2], back[8]);
    SAY(cudaMemcpyArrayToArray(a, 0, 0, b, 0, 1, 2 * row));
    SAY(cudaMemcpy2DFromArray(back, row, a, 0, 0, row, 2, cudaMemcpyDeviceToHost));
    printf("%g %g\n", back[0], back[7]);
    cudaMemcpy3DParms parms = {};
    parms.srcPtr = make_cudaPitchedPtr(host, row, 4, 3);
    parms.dstArray = box;
    parms.dstPos = make_cudaPos(0, 0, 1);
    parms.extent = make_cudaExtent(4, 3, 1);
    parms.kind = cudaMemcpyHostToDevice;
    SAY(cudaMemcpy3D(&parms));
    cudaMemcpy3DParms out = {};
    out.srcArray = box;
    out.srcPos = make_cudaPos(1, 2, 1);
    out.dstPtr = make_cudaPitchedPtr(back, 8, 2, 1);
    out.extent = make_cudaExtent(2, 1, 1);
    out.kind = cudaMemcpyDeviceToHost;
    SAY(cudaMemcpy3D(&out));
    printf("%g %g\n", back[0], back[1]);

    // What only other arrays have.
    cudaArray_t plane;
    cudaArrayMemoryRequirements need;
    cudaArraySparseProperties sparse;
    SAY(cudaArrayGetPlane(&plane, a, 0));
    SAY(cudaArrayGetMemoryRequirements(&need, a, 0));
    SAY(cudaArrayGetSparseProperties(&sparse, a));

    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = b;
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    how.filterMode = cudaFilterModePoint;
    how.readMode = cudaReadModeElementType;
    cudaTextureObject_t texture;
    SAY(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
    cudaResourceDesc resource_told;
    cudaTextureDesc how_told;
    SAY(cudaGetTextureObjectResourceDesc(&resource_told, texture));
    SAY(cudaGetTextureObjectTextureDesc(&how_told, texture));
    printf("%d %d\n", resource_told.res.array.array == b, how_told.addressMode[1] == cudaAddressModeClamp);
    float *values;
    cudaMallocManaged(&values, 12 * sizeof *values);
    fetch<<<1, 12>>>(texture, values);
    SAY(cudaDeviceSynchronize());
    printf("%g %g\n", values[0], values[11]);
    cudaArray_t drawn;
    SAY(cudaMallocArray(&drawn, &format, 4, 3, cudaArraySurfaceLoadStore));
    resource.res.array.array = drawn;
    cudaSurfaceObject_t surface;
    SAY(cudaCreateSurfaceObject(&surface, &resource));
    SAY(cudaGetSurfaceObjectResourceDesc(&resource_told, surface));
    printf("%d\n", resource_told.res.array.array == drawn);
    SAY(cudaCreateTextureObject(nullptr, &resource, &how, nullptr));
    SAY(cudaCreateSurfaceObject(&surface, nullptr));
    SAY(cudaDestroyTextureObject(texture));
    SAY(cudaDestroySurfaceObject(surface));
    SAY(cudaFreeArray(drawn));
    SAY(cudaFreeArray(a));
    SAY(cudaFreeArray(b));
    SAY(cudaFreeArray(box));
    SAY(cudaFreeArray(nullptr));
    cudaFree(values);
    cudaStreamDestroy(s);
}
