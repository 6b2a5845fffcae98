// The host passes one surface twice.
// flags: --strict
#include <cuda_runtime.h>

__global__ void shift(cudaSurfaceObject_t in, cudaSurfaceObject_t out) {
    int x = threadIdx.x;
    surf1Dwrite(surf1Dread<int>(in, (x + 1) * 4), out, x * 4); //~ ERROR global-race
}

int main() {
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<int>();
    cudaArray_t array;
    cudaMallocArray(&array, &desc, 65, 0, cudaArraySurfaceLoadStore);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaSurfaceObject_t surface;
    cudaCreateSurfaceObject(&surface, &resource);
    shift<<<1, 64>>>(surface, surface);
    cudaDeviceSynchronize();
    cudaDestroySurfaceObject(surface);
    cudaFreeArray(array);
}
