// Virtual memory of the driver: accesses behind a reservation and after its end, a reservation that is never given back.
// revisions: fine behind after never
#include <cuda.h>

__global__ void put(int* p, size_t i) {
    p[i] = 1; //[behind]~ ERROR out-of-bounds: just past the end
    //[after]~^ ERROR use-after-free
}

int main() {
    cuInit(0);
    size_t piece = 2 << 20;
    CUdeviceptr range;
    CUmemAllocationProp prop = {};
    prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    CUmemGenericAllocationHandle handle;
    CUmemAccessDesc access = {{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    cuMemAddressReserve(&range, piece, 0, 0, 0); //[never]~ WARNING memory-leak
    cuMemCreate(&handle, piece, &prop, 0);
    cuMemMap(range, piece, 0, handle, 0);
    cuMemSetAccess(range, piece, &access, 1);
    cuMemRelease(handle);
#if defined(REV_behind)
    put<<<1, 1>>>((int*)range, piece / sizeof(int));
#else
    put<<<1, 1>>>((int*)range, 0);
#endif
    cudaDeviceSynchronize();
    cuMemUnmap(range, piece);
#if !defined(REV_never)
    cuMemAddressFree(range, piece);
#endif
#if defined(REV_after)
    put<<<1, 1>>>((int*)range, 0);
    cudaDeviceSynchronize();
#endif
}
