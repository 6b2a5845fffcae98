// Surfaces used wrongly: outside of the array where the mode traps, at an address that is no element's, over an array
// not made for it, written by one thread and read by another without a barrier.
// revisions: good outside align flag race barrier
#include <cstring>

__global__ void work(cudaSurfaceObject_t s, float* out) {
    int x = threadIdx.x;
#ifdef REV_outside
    surf2Dwrite(1.0f, s, 4 * (x + 1), 0); //[outside]~ ERROR out-of-bounds: a surface is accessed outside its array
#elif defined(REV_align)
    surf2Dwrite(1.0f, s, x, 0); //[align]~ ERROR undefined-behavior: a multiple
#else
    surf2Dwrite(1.0f, s, 4 * x, 0); //[race]~ RELATED global-race
#ifdef REV_barrier
    __syncthreads();
#endif
#if defined(REV_race) || defined(REV_barrier)
    out[x] = surf2Dread<float>(s, 4 * (7 - x), 0); //[race]~ ERROR global-race
#endif
#endif
}

int main() {
    cudaArray_t array;
    cudaChannelFormatDesc texel = cudaCreateChannelDesc<float>();
#ifdef REV_flag
    cudaMallocArray(&array, &texel, 8, 1);
#else
    cudaMallocArray(&array, &texel, 8, 1, cudaArraySurfaceLoadStore);
#endif
    cudaResourceDesc r;
    memset(&r, 0, sizeof r);
    r.resType = cudaResourceTypeArray;
    r.res.array.array = array;
    cudaSurfaceObject_t s = 0;
    cudaCreateSurfaceObject(&s, &r); //[flag]~ ERROR api-error: cudaArraySurfaceLoadStore
    float* out;
    cudaMalloc(&out, 32);
#ifndef REV_flag
    work<<<1, 8>>>(s, out);
#endif
    cudaDeviceSynchronize();
    cudaDestroySurfaceObject(s);
    cudaFree(out);
    cudaFreeArray(array);
    return 0;
}
