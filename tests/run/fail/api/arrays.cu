// Arrays, textures and surfaces: what their functions refuse, and handles that are none, or no more.
#include <cstdint>
#include <cstdio>
#include <cstring>

#define SAY(call) printf("%s: %s\n", #call, cudaGetErrorName(call))

int main() {
    const cudaMemcpyKind nowhere = (cudaMemcpyKind)9;
    const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>(), fours = cudaCreateChannelDesc<float4>(),
                                odd = cudaCreateChannelDesc(24, 0, 0, 0, cudaChannelFormatKindUnsigned);
    cudaChannelFormatDesc desc;
    cudaExtent extent;
    unsigned flags;
    char local[64] = {}, *d;
    cudaMalloc(&d, 64);
    cudaMemset(d, 0, 64);
    const cudaArray_t none = (cudaArray_t)local;

    // Making them.
    cudaArray_t a, b, other;
    SAY(cudaMallocArray(nullptr, &floats, 4));
    SAY(cudaMallocArray(&a, nullptr, 4));
    SAY(cudaMallocArray(&a, &floats, 0, 4));
    SAY(cudaMallocArray(&a, &odd, 4));
    SAY(cudaMallocArray(&a, &floats, 4, 4, 0x400));
    SAY(cudaMallocArray(&a, &floats, SIZE_MAX, SIZE_MAX));
    SAY(cudaMallocArray(&a, &floats, 1 << 20, 4));
    SAY(cudaMallocArray(&a, &fours, 1 << 17, 1 << 16));
    SAY(cudaMallocArray(&a, &floats, 4, 4));
    SAY(cudaMallocArray(&b, &floats, 4, 4));
    SAY(cudaMalloc3DArray(nullptr, &floats, make_cudaExtent(4, 4, 4)));
    SAY(cudaMalloc3DArray(&other, &floats, make_cudaExtent(0, 4, 4)));
    SAY(cudaMalloc3DArray(&other, &floats, make_cudaExtent(4, 0, 4)));
    SAY(cudaMalloc3DArray(&other, &floats, make_cudaExtent(4, 8, 6), cudaArrayCubemap));
    SAY(cudaMalloc3DArray(&other, &floats, make_cudaExtent(1 << 14, 1 << 14, 1 << 14)));
    SAY(cudaMalloc3DArray(&other, &floats, make_cudaExtent(SIZE_MAX, SIZE_MAX, SIZE_MAX)));
    cudaMipmappedArray_t mipmap;
    SAY(cudaMallocMipmappedArray(nullptr, &floats, make_cudaExtent(4, 4, 0), 3));
    SAY(cudaMallocMipmappedArray(&mipmap, &floats, make_cudaExtent(0, 4, 0), 3));
    SAY(cudaMallocMipmappedArray(&mipmap, &floats, make_cudaExtent(SIZE_MAX, SIZE_MAX, 0), 3));
    SAY(cudaMallocMipmappedArray(&mipmap, &floats, make_cudaExtent(1 << 14, 1 << 14, 1 << 14), 3));
    SAY(cudaMallocMipmappedArray(&mipmap, &floats, make_cudaExtent(4, 4, 0), 3));
    SAY(cudaGetMipmappedArrayLevel(&other, mipmap, 3));
    SAY(cudaGetMipmappedArrayLevel(nullptr, mipmap, 0));
    SAY(cudaGetMipmappedArrayLevel(&other, (cudaMipmappedArray_t)local, 0)); //~ ERROR api-error: this value is not a mipmapped array, or the array was freed
    SAY(cudaGetMipmappedArrayLevel(&other, mipmap, 0));

    // What is asked of them.
    SAY(cudaArrayGetInfo(&desc, &extent, &flags, none)); //~ ERROR api-error: this value is not an array, or the array was freed
    SAY(cudaArrayGetInfo(&desc, &extent, &flags, nullptr));
    SAY(cudaGetChannelDesc(&desc, none)); //~ ERROR api-error: this value is not an array, or the array was freed
    SAY(cudaGetChannelDesc(nullptr, a));
    cudaArray_t plane;
    SAY(cudaArrayGetPlane(&plane, a, 0));
    SAY(cudaArrayGetPlane(&plane, none, 0)); //~ ERROR api-error: this value is not an array, or the array was freed
    SAY(cudaArrayGetPlane(nullptr, a, 0));
    cudaArrayMemoryRequirements needs;
    SAY(cudaArrayGetMemoryRequirements(&needs, a, 0));
    SAY(cudaArrayGetMemoryRequirements(&needs, none, 0)); //~ ERROR api-error: this value is not an array, or the array was freed
    SAY(cudaMipmappedArrayGetMemoryRequirements(&needs, mipmap, 0));
    SAY(cudaMipmappedArrayGetMemoryRequirements(nullptr, mipmap, 0));
    cudaArraySparseProperties sparse;
    SAY(cudaArrayGetSparseProperties(&sparse, a));
    SAY(cudaArrayGetSparseProperties(&sparse, none)); //~ ERROR api-error: this value is not an array, or the array was freed
    SAY(cudaMipmappedArrayGetSparseProperties(&sparse, mipmap));
    SAY(cudaMipmappedArrayGetSparseProperties(nullptr, mipmap));

    // Copies.
    SAY(cudaMemcpy2DToArray(a, 0, 0, local, 8, 16, 1, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy2DToArray(a, 0, 0, local, 16, 16, 1, nowhere));
    SAY(cudaMemcpy2DToArray(a, 8, 0, local, 16, 16, 1, cudaMemcpyHostToDevice)); //~ ERROR api-error: a copy of 1 rows of 16 bytes, starting at byte 8 of row 0, goes outside an array
    SAY(cudaMemcpy2DToArray(a, 0, 1, local, 16, 16, SIZE_MAX, cudaMemcpyHostToDevice)); //~ ERROR api-error: a copy of 18446744073709551615 rows of 16 bytes, starting at byte 0
    SAY(cudaMemcpy2DToArray(none, 0, 0, local, 16, 16, 1, cudaMemcpyHostToDevice)); //~ ERROR api-error: this value is not an array, or the array was freed
    SAY(cudaMemcpy2DToArrayAsync(a, 0, 0, local, 8, 16, 1, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy2DToArrayAsync(a, 0, 0, local, 16, 16, 1, nowhere));
    SAY(cudaMemcpy2DToArrayAsync(a, SIZE_MAX, 0, local, 16, 16, 1, cudaMemcpyHostToDevice)); //~ ERROR api-error: a copy of 1 rows of 16 bytes, starting at byte 18446744073709551615
    SAY(cudaMemcpy2DFromArray(local, 8, a, 0, 0, 16, 1, cudaMemcpyDeviceToHost));
    SAY(cudaMemcpy2DFromArray(local, 16, a, 0, 0, 16, 1, nowhere));
    SAY(cudaMemcpy2DFromArray(local, 16, a, 0, 3, 16, 2, cudaMemcpyDeviceToHost)); //~ ERROR api-error: a copy of 2 rows of 16 bytes, starting at byte 0 of row 3, goes outside an array
    SAY(cudaMemcpy2DFromArrayAsync(local, 8, a, 0, 0, 16, 1, cudaMemcpyDeviceToHost));
    SAY(cudaMemcpy2DFromArrayAsync(local, 16, a, 0, 0, 16, 1, nowhere));
    SAY(cudaMemcpy2DFromArrayAsync(local, 16, a, 0, SIZE_MAX, 16, 2, cudaMemcpyDeviceToHost)); //~ ERROR api-error: a copy of 2 rows of 16 bytes, starting at byte 0 of row 184467440737
    SAY(cudaMemcpy2DArrayToArray(a, 0, 0, b, 0, 0, 16, 5)); //~ ERROR api-error: a copy of 5 rows of 16 bytes, starting at byte 0 of row 0, goes outside an array
    SAY(cudaMemcpy2DArrayToArray(a, 0, 0, b, 0, 0, 16, 1, nowhere));
    SAY(cudaMemcpyToArray(a, 0, 0, local, 65, cudaMemcpyHostToDevice)); //~ ERROR api-error: a copy of 65 bytes, starting at byte 0 of row 0, goes outside an array
    SAY(cudaMemcpyToArray(a, 0, 0, local, 16, nowhere));
    SAY(cudaMemcpyToArrayAsync(a, 0, SIZE_MAX, local, 16, cudaMemcpyHostToDevice)); //~ ERROR api-error: a copy of 16 bytes, starting at byte 0 of row 18446744073709551615, goes outside an array
    SAY(cudaMemcpyToArrayAsync(a, 0, 0, local, 16, nowhere));
    SAY(cudaMemcpyFromArray(local, a, 0, 0, SIZE_MAX, cudaMemcpyDeviceToHost)); //~ ERROR api-error: a copy of 18446744073709551615 bytes, starting at byte 0 of row 0, goes outside an array
    SAY(cudaMemcpyFromArray(local, a, 0, 0, 16, nowhere));
    SAY(cudaMemcpyFromArrayAsync(local, a, 16, 0, 16, cudaMemcpyDeviceToHost)); //~ ERROR api-error: a copy of 16 bytes, starting at byte 16 of row 0, goes outside an array
    SAY(cudaMemcpyFromArrayAsync(local, a, 0, 0, 16, nowhere));
    SAY(cudaMemcpyArrayToArray(a, 0, 0, b, 0, 3, 32)); //~ ERROR api-error: a copy of 32 bytes, starting at byte 0 of row 3, goes outside an array
    SAY(cudaMemcpyArrayToArray(a, 0, 0, b, 0, 0, 16, nowhere));
    cudaMemcpy3DParms volume = {};
    SAY(cudaMemcpy3D(nullptr));
    SAY(cudaMemcpy3D(&volume));
    volume.srcPtr = make_cudaPitchedPtr(local, 16, 4, 4);
    volume.dstPtr = make_cudaPitchedPtr(d, 16, 4, 4);
    volume.extent = make_cudaExtent(32, 2, 1);
    volume.kind = cudaMemcpyHostToDevice;
    SAY(cudaMemcpy3D(&volume));
    SAY(cudaMemcpy3DAsync(&volume));
    volume.extent.width = 16;
    volume.kind = nowhere;
    SAY(cudaMemcpy3D(&volume));
    SAY(cudaMemcpy3DAsync(&volume));
    SAY(cudaMemcpy3DAsync(nullptr));
    volume.kind = cudaMemcpyHostToDevice;
    volume.extent = make_cudaExtent(16, 4, SIZE_MAX);
    SAY(cudaMemcpy3D(&volume)); //~ ERROR out-of-bounds: out-of-bounds write of 18446744073709551615 bytes: running 1
    volume.dstArray = a;
    SAY(cudaMemcpy3D(&volume));
    cudaMemcpy3DPeerParms peers = {};
    SAY(cudaMemcpy3DPeer(nullptr));
    SAY(cudaMemcpy3DPeerAsync(nullptr));
    SAY(cudaMemcpy3DPeer(&peers));
    peers.srcPtr = make_cudaPitchedPtr(d, 16, 4, 4);
    peers.dstPtr = make_cudaPitchedPtr(d, 16, 4, 4);
    peers.extent = make_cudaExtent(32, 2, 1);
    SAY(cudaMemcpy3DPeer(&peers));
    SAY(cudaMemcpy3DPeerAsync(&peers));
    peers.dstDevice = 3;
    SAY(cudaMemcpy3DPeer(&peers));
    SAY(cudaMemcpy3DPeerAsync(&peers));

    // Textures and surfaces.
    cudaTextureObject_t texture;
    cudaSurfaceObject_t surface;
    cudaResourceDesc resource = {}, of;
    cudaTextureDesc how = {};
    cudaResourceViewDesc view = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = a;
    SAY(cudaCreateTextureObject(nullptr, &resource, &how, nullptr));
    SAY(cudaCreateTextureObject(&texture, nullptr, &how, nullptr));
    SAY(cudaCreateTextureObject(&texture, &resource, nullptr, nullptr));
    SAY(cudaCreateSurfaceObject(nullptr, &resource));
    SAY(cudaCreateSurfaceObject(&surface, nullptr));
    SAY(cudaCreateSurfaceObject(&surface, &resource)); //~ ERROR api-error: a surface over an array that was made without `cudaArraySurf
    resource.res.array.array = none;
    SAY(cudaCreateTextureObject(&texture, &resource, &how, nullptr)); //~ ERROR api-error: this value is not an array, or the array was freed
    SAY(cudaCreateSurfaceObject(&surface, &resource)); //~ ERROR api-error: this value is not an array, or the array was freed
    resource.resType = (cudaResourceType)9;
    SAY(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
    SAY(cudaCreateSurfaceObject(&surface, &resource));
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = d;
    resource.res.linear.desc = floats;
    resource.res.linear.sizeInBytes = 64;
    SAY(cudaCreateSurfaceObject(&surface, &resource));
    how.filterMode = (cudaTextureFilterMode)7;
    SAY(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
    how.filterMode = cudaFilterModePoint;
    resource.res.linear.desc = odd;
    SAY(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
    resource.res.linear.desc = floats;
    resource.res.linear.sizeInBytes = SIZE_MAX;
    SAY(cudaCreateTextureObject(&texture, &resource, &how, nullptr)); //~ ERROR out-of-bounds: out-of-bounds read of 18446744073709551612 bytes: running 18
    resource.res.linear.sizeInBytes = 64;
    SAY(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
    SAY(cudaGetTextureObjectResourceDesc(nullptr, texture));
    SAY(cudaGetTextureObjectResourceDesc(&of, 77));
    SAY(cudaGetTextureObjectTextureDesc(nullptr, texture));
    SAY(cudaGetTextureObjectTextureDesc(&how, 77));
    SAY(cudaGetTextureObjectResourceViewDesc(&view, texture));
    SAY(cudaGetTextureObjectResourceViewDesc(&view, 77));
    SAY(cudaGetSurfaceObjectResourceDesc(&of, 77));
    SAY(cudaGetSurfaceObjectResourceDesc(nullptr, 77));
    SAY(cudaDestroyTextureObject(texture));
    SAY(cudaDestroyTextureObject(texture)); //~ ERROR api-error: this value is not a texture or surface object, or the object was destroyed before
    SAY(cudaDestroySurfaceObject(texture)); //~ ERROR api-error: this value is not a texture or surface object, or the object was destroyed before
    SAY(cudaDestroyTextureObject(0));

    // The end.
    SAY(cudaFreeArray(other)); //~ ERROR api-error: a level of a mipmapped array cannot be freed alone
    SAY(cudaFreeArray(none)); //~ ERROR api-error: this value is not an array, or the array was freed
    SAY(cudaFreeMipmappedArray((cudaMipmappedArray_t)a)); //~ ERROR api-error: this value is not a mipmapped array, or the array was freed
    SAY(cudaFreeArray((cudaArray_t)mipmap)); //~ ERROR api-error: this value is not an array, or the array was freed
    SAY(cudaFreeMipmappedArray(mipmap));
    SAY(cudaFreeMipmappedArray(mipmap)); //~ ERROR api-error: this value is not a mipmapped array, or the array was freed
    SAY(cudaFreeMipmappedArray(nullptr));
    SAY(cudaFreeArray(a));
    SAY(cudaFreeArray(a)); //~ ERROR api-error: this value is not an array, or the array was freed
    SAY(cudaFreeArray(nullptr));
    SAY(cudaMemcpyToArray(a, 0, 0, local, 16, cudaMemcpyHostToDevice)); //~ ERROR api-error: this value is not an array, or the array was freed
    cudaFreeArray(b);
    cudaFree(d);
}
