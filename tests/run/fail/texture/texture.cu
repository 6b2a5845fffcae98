// Textures used wrongly: destroyed or never made, of other dimensions or another type, over an array that holds nothing,
// filtered integers, a copy that leaves its array, what is never given back.
// revisions: good destroyed null dims type empty filter norm copy twice leak freed pitch
#include <cstring>

__global__ void read(cudaTextureObject_t t, float* out) {
#ifdef REV_dims
    out[threadIdx.x] = tex1D<float>(t, 0.5f); //[dims]~ ERROR undefined-behavior: a texture is read with another number of dimensions than it has
#elif defined(REV_type)
    out[threadIdx.x] = tex2D<int>(t, 0.5f, 0.5f); //[type]~ ERROR undefined-behavior: a texture is read as a type that does not fit its channels and read mode
#else
    out[threadIdx.x] = tex2D<float>(t, 0.5f, threadIdx.x); //[destroyed]~ ERROR use-after-free
    //[null]~^ ERROR null-dereference
    //[empty]~^^ ERROR uninitialized-read
    //[freed]~^^^ ERROR use-after-free
#endif
}

int main() {
    cudaArray_t array;
#ifdef REV_filter
    cudaChannelFormatDesc texel = cudaCreateChannelDesc<uchar4>();
#elif defined(REV_norm)
    cudaChannelFormatDesc texel = cudaCreateChannelDesc<int>();
#else
    cudaChannelFormatDesc texel = cudaCreateChannelDesc<float>();
#endif
    float values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    cudaMallocArray(&array, &texel, 4, 2); //[leak]~ WARNING memory-leak
#ifdef REV_copy
    cudaMemcpy2DToArray(array, 4, 0, values, 16, 16, 2, cudaMemcpyHostToDevice); //[copy]~ ERROR api-error: goes outside an array
#elif !defined(REV_empty)
    cudaMemcpy2DToArray(array, 0, 0, values, 16, 16, 2, cudaMemcpyHostToDevice);
#endif
    cudaResourceDesc r;
    memset(&r, 0, sizeof r);
    r.resType = cudaResourceTypeArray;
    r.res.array.array = array;
    cudaTextureDesc d;
    memset(&d, 0, sizeof d);
#ifdef REV_filter
    d.filterMode = cudaFilterModeLinear;
#endif
#ifdef REV_norm
    d.readMode = cudaReadModeNormalizedFloat;
#endif
#ifdef REV_pitch
    char* rows;
    cudaMalloc(&rows, 256);
    r.resType = cudaResourceTypePitch2D;
    r.res.pitch2D.devPtr = rows;
    r.res.pitch2D.desc = texel;
    r.res.pitch2D.width = 4;
    r.res.pitch2D.height = 2;
    r.res.pitch2D.pitchInBytes = 20;
#endif
    cudaTextureObject_t t = 0;
#ifndef REV_null
    cudaCreateTextureObject(&t, &r, &d, NULL); //[filter]~ ERROR api-error: a texture can filter integers only if it reads them as normalized numbers
    //[norm]~^ ERROR api-error: normalized
    //[leak]~^^ WARNING memory-leak
    //[pitch]~^^^ ERROR api-error: a multiple of 32
#endif
    float* out;
    cudaMalloc(&out, 128);
#ifdef REV_destroyed
    cudaDestroyTextureObject(t);
#endif
#ifdef REV_freed
    cudaFreeArray(array);
#endif
#if !defined(REV_filter) && !defined(REV_norm) && !defined(REV_copy) && !defined(REV_pitch)
    read<<<1, 2>>>(t, out);
#endif
    cudaDeviceSynchronize();
    cudaFree(out);
#ifdef REV_pitch
    cudaFree(rows);
#endif
#ifndef REV_leak
    cudaDestroyTextureObject(t);
#ifdef REV_twice
    cudaDestroyTextureObject(t); //[twice]~ ERROR api-error: destroyed
#endif
    cudaFreeArray(array);
#endif
    return 0;
}
