// Mipmapped arrays: a level freed by itself, one used after its array was freed, an array never freed,
// integers mixed between levels.
// revisions: good level late leak filter
#include <cstdio>

int main() {
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMipmappedArray_t mipmap;
    cudaMallocMipmappedArray(&mipmap, &format, make_cudaExtent(4, 4, 0), 2);
    //[leak]~^ WARNING memory-leak: `cudaMallocMipmappedArray`
    cudaArray_t array;
    cudaGetMipmappedArrayLevel(&array, mipmap, 1);
    float values[4] = {1, 2, 3, 4};
#ifdef REV_filter
    cudaChannelFormatDesc whole = cudaCreateChannelDesc<int>();
    cudaMipmappedArray_t integers;
    cudaMallocMipmappedArray(&integers, &whole, make_cudaExtent(4, 4, 0), 2);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = integers;
    cudaTextureDesc how = {};
    how.mipmapFilterMode = cudaFilterModeLinear;
    cudaTextureObject_t t;
    cudaError_t e = cudaCreateTextureObject(&t, &resource, &how, nullptr); //[filter]~ ERROR api-error: a texture can filter integers only if it reads them as normalized numbers
    printf("%s\n", cudaGetErrorName(e));
    cudaFreeMipmappedArray(integers);
#endif
#ifdef REV_level
    cudaError_t e = cudaFreeArray(array); //[level]~ ERROR api-error: a level of a mipmapped array cannot be freed alone
    printf("%s\n", cudaGetErrorName(e));
#endif
#ifdef REV_late
    cudaFreeMipmappedArray(mipmap);
    cudaError_t e = cudaMemcpy2DToArray(array, 0, 0, values, 8, 8, 2, cudaMemcpyHostToDevice); //[late]~ ERROR api-error: this value is not an array, or the array was freed
    printf("%s\n", cudaGetErrorName(e));
#else
    cudaMemcpy2DToArray(array, 0, 0, values, 8, 8, 2, cudaMemcpyHostToDevice);
#ifndef REV_leak
    cudaFreeMipmappedArray(mipmap);
#endif
#endif
}
