// Memory: what allocations, copies and fills refuse, and what they say of pointers that are not theirs.
#include <cstdint>
#include <cstdio>

#define SAY(call) printf("%s: %s\n", #call, cudaGetErrorName(call))

__device__ int word[4];
int of_host[4];

int main() {
    const size_t huge = SIZE_MAX / 2;
    void *p = nullptr;
    size_t pitch = 0, n = 0;
    // Allocations.
    SAY(cudaMalloc((void **)nullptr, 4));
    SAY(cudaMalloc(&p, huge));
    SAY(cudaMalloc(&p, SIZE_MAX));
    SAY(cudaMallocHost((void **)nullptr, 4));
    SAY(cudaMallocHost(&p, huge));
    SAY(cudaHostAlloc((void **)nullptr, 4, 0));
    SAY(cudaHostAlloc(&p, 4, 0x80));
    SAY(cudaHostAlloc(&p, SIZE_MAX, cudaHostAllocMapped));
    SAY(cudaMallocManaged((void **)nullptr, 4));
    SAY(cudaMallocManaged(&p, 0));
    SAY(cudaMallocManaged(&p, 4, 3));
    SAY(cudaMallocManaged(&p, huge));
    SAY(cudaMallocPitch((void **)nullptr, &pitch, 4, 4));
    SAY(cudaMallocPitch(&p, nullptr, 4, 4));
    SAY(cudaMallocPitch(&p, &pitch, SIZE_MAX, 4));
    SAY(cudaMallocPitch(&p, &pitch, 1 << 20, SIZE_MAX));
    cudaPitchedPtr volume;
    SAY(cudaMalloc3D(nullptr, make_cudaExtent(4, 4, 4)));
    SAY(cudaMalloc3D(&volume, make_cudaExtent(SIZE_MAX, 4, 4)));
    SAY(cudaMalloc3D(&volume, make_cudaExtent(1 << 20, SIZE_MAX, SIZE_MAX)));
    SAY(cudaMemGetInfo(nullptr, &n));
    SAY(cudaMemGetInfo(&n, nullptr));

    // What is given back twice, or was never had.
    int local[64] = {}, *d, *pinned, *managed;
    cudaMalloc(&d, sizeof local);
    cudaMallocHost(&pinned, sizeof local);
    cudaMallocManaged(&managed, sizeof local);
    SAY(cudaFree(local)); //~ ERROR invalid-free: `cudaFree` of `local` (256 bytes), which was never allocated
    SAY(cudaFree(d + 1)); //~ ERROR invalid-free: `cudaFree` of a pointer that is 4 bytes into `d`
    SAY(cudaFreeHost(local)); //~ ERROR invalid-free: `cudaFreeHost` of `local` (256 bytes), which was never alloc
    SAY(cudaFreeHost(d)); //~ ERROR invalid-free: `cudaFreeHost` of `d` (256 bytes from `cudaMalloc`)
    SAY(cudaFree(pinned)); //~ ERROR invalid-free: `cudaFree` of `pinned` (256 bytes from `cudaMallocHost`)
    SAY(cudaFreeAsync(local, 0)); //~ ERROR api-error: `cudaFreeAsync` of host memory
    SAY(cudaFreeAsync(nullptr, 0));
    SAY(cudaFree(nullptr));
    SAY(cudaFreeHost(nullptr));

    // Registering.
    SAY(cudaHostRegister(nullptr, 4, 0));
    SAY(cudaHostRegister(local, 0, 0));
    SAY(cudaHostRegister(local, sizeof local, 0x100));
    SAY(cudaHostRegister(d, 4, 0));
    SAY(cudaHostRegister(local, sizeof local, cudaHostRegisterDefault));
    SAY(cudaHostRegister(local, sizeof local, cudaHostRegisterDefault));
    SAY(cudaHostRegister(local + 4, 16, cudaHostRegisterDefault));
    SAY(cudaHostRegister(pinned, 16, cudaHostRegisterDefault));
    SAY(cudaHostUnregister(nullptr));
    SAY(cudaHostUnregister(local + 4));
    SAY(cudaHostUnregister(pinned));
    SAY(cudaHostUnregister(local));
    SAY(cudaHostUnregister(local));
    SAY(cudaHostGetDevicePointer((void **)nullptr, pinned, 0));
    SAY(cudaHostGetDevicePointer(&p, pinned, 1));
    SAY(cudaHostGetDevicePointer(&p, local, 0));
    unsigned flags;
    SAY(cudaHostGetFlags(nullptr, pinned));
    SAY(cudaHostGetFlags(&flags, local));
    SAY(cudaHostGetFlags(&flags, d));

    // Copies.
    const cudaMemcpyKind nowhere = (cudaMemcpyKind)9;
    cudaMemset(d, 0, sizeof local);
    SAY(cudaMemcpy(d, local, sizeof local, nowhere));
    SAY(cudaMemcpy(nullptr, local, 4, cudaMemcpyHostToDevice)); //~ ERROR null-dereference: write of 4 bytes through a null pointer
    SAY(cudaMemcpy(d, nullptr, 4, cudaMemcpyHostToDevice)); //~ ERROR null-dereference: read of 4 bytes through a null pointer
    SAY(cudaMemcpy(local, d, 4, cudaMemcpyHostToDevice)); //~ ERROR api-error: a copy from host to device whose source is device memory
    SAY(cudaMemcpy(d, local, huge, cudaMemcpyHostToDevice)); //~ ERROR out-of-bounds: out-of-bounds write of 9223372036854775807 bytes: running 92
    SAY(cudaMemcpyAsync(d, local, sizeof local, nowhere, 0));
    SAY(cudaMemcpyAsync(nullptr, local, 4, cudaMemcpyHostToDevice, 0)); //~ ERROR null-dereference: write of 4 bytes through a null pointer
    SAY(cudaMemcpyAsync(local, d, 4, cudaMemcpyDeviceToDevice, 0)); //~ ERROR api-error: a copy from device to device whose destination is host memor
    SAY(cudaMemcpyPeer(d, 0, d + 32, 1, 4));
    SAY(cudaMemcpyPeer(d, 0, nullptr, 0, 4)); //~ ERROR null-dereference: read of 4 bytes through a null pointer
    SAY(cudaMemcpyPeerAsync(d, 7, d + 32, 0, 4, 0));
    SAY(cudaMemcpyPeerAsync(nullptr, 0, d + 32, 0, 4, 0)); //~ ERROR null-dereference: write of 4 bytes through a null pointer
    SAY(cudaMemcpy2D(d, 16, local, 16, 32, 1, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy2D(d, 16, local, 16, 16, 1, nowhere));
    SAY(cudaMemcpy2D(nullptr, 16, local, 16, 16, 1, cudaMemcpyHostToDevice)); //~ ERROR null-dereference: write of 16 bytes through a null pointer
    SAY(cudaMemcpy2D(d, SIZE_MAX, local, 16, 16, 2, cudaMemcpyHostToDevice)); //~ ERROR out-of-bounds: out-of-bounds write of 18446744073709551615 bytes: running 1
    SAY(cudaMemcpy2D(d, 16, local, 16, 16, SIZE_MAX, cudaMemcpyHostToDevice)); //~ ERROR out-of-bounds: out-of-bounds write of 18446744073709551615 bytes: running 1
    SAY(cudaMemcpy2DAsync(d, 16, local, 16, 32, 1, cudaMemcpyHostToDevice, 0));
    SAY(cudaMemcpy2DAsync(d, 16, local, 16, 16, 1, nowhere, 0));
    SAY(cudaMemcpy2DAsync(nullptr, 16, local, 16, 16, 1, cudaMemcpyHostToDevice, 0)); //~ ERROR null-dereference: write of 16 bytes through a null pointer

    // Symbols.
    SAY(cudaMemcpyToSymbol(word, local, 4, 0, nowhere));
    SAY(cudaMemcpyToSymbol(word, local, 4, 0, cudaMemcpyDeviceToHost));
    SAY(cudaMemcpyToSymbol(word, local, 8, 12)); //~ ERROR api-error: a copy of 8 bytes at offset 12 goes outside a variable
    SAY(cudaMemcpyToSymbol(word, local, 8, SIZE_MAX)); //~ ERROR api-error: a copy of 8 bytes at offset 18446744073709551615 goes outside a variable
    SAY(cudaMemcpyToSymbol(word, nullptr, 8)); //~ ERROR null-dereference: read of 8 bytes through a null pointer
    SAY(cudaMemcpyToSymbol(of_host, local, 4));
    SAY(cudaMemcpyFromSymbol(local, word, 4, 0, nowhere));
    SAY(cudaMemcpyFromSymbol(local, word, 4, 0, cudaMemcpyHostToDevice));
    SAY(cudaMemcpyFromSymbol(local, word, 17)); //~ ERROR api-error: a copy of 17 bytes at offset 0 goes outside a variable
    SAY(cudaMemcpyFromSymbol(local, of_host, 4));
    SAY(cudaMemcpyToSymbolAsync(word, local, 4, 0, nowhere, 0));
    SAY(cudaMemcpyToSymbolAsync(word, local, 17, 0, cudaMemcpyHostToDevice, 0)); //~ ERROR api-error: a copy of 17 bytes at offset 0 goes outside a variable
    SAY(cudaMemcpyToSymbolAsync(of_host, local, 4, 0, cudaMemcpyHostToDevice, 0));
    SAY(cudaMemcpyFromSymbolAsync(local, word, 4, 0, nowhere, 0));
    SAY(cudaMemcpyFromSymbolAsync(local, word, 17, 0, cudaMemcpyDeviceToHost, 0)); //~ ERROR api-error: a copy of 17 bytes at offset 0 goes outside a variable
    SAY(cudaMemcpyFromSymbolAsync(local, of_host, 4, 0, cudaMemcpyDeviceToHost, 0));
    SAY(cudaGetSymbolAddress(&p, of_host));
    SAY(cudaGetSymbolAddress((void **)nullptr, word));
    SAY(cudaGetSymbolSize(&n, of_host));
    SAY(cudaGetSymbolSize(nullptr, word));

    // Fills.
    SAY(cudaMemset(local, 0, sizeof local)); //~ ERROR api-error: the device is asked to fill host memory
    SAY(cudaMemset(nullptr, 0, 4)); //~ ERROR null-dereference: write of 4 bytes through a null pointer
    SAY(cudaMemset(d, 0, sizeof local + 1)); //~ ERROR out-of-bounds: out-of-bounds write of 257 bytes: running 1 byte past the en
    SAY(cudaMemset(d, 0, SIZE_MAX)); //~ ERROR out-of-bounds: out-of-bounds write of 18446744073709551615 bytes: running 1
    SAY(cudaMemsetAsync(local, 0, sizeof local, 0)); //~ ERROR api-error: the device is asked to fill host memory
    SAY(cudaMemset2D(d, 16, 0, 32, 2));
    SAY(cudaMemset2D(local, 16, 0, 16, 2)); //~ ERROR api-error: the device is asked to fill host memory
    SAY(cudaMemset2D(d, SIZE_MAX, 0, 16, SIZE_MAX)); //~ ERROR out-of-bounds: out-of-bounds write of 18446744073709551615 bytes: running 1
    SAY(cudaMemset2DAsync(d, 16, 0, 32, 2, 0));
    SAY(cudaMemset2DAsync(local, 16, 0, 16, 2, 0)); //~ ERROR api-error: the device is asked to fill host memory
    SAY(cudaMemset3DAsync(make_cudaPitchedPtr(local, 16, 16, 2), 0, make_cudaExtent(16, 2, 1), 0)); //~ ERROR api-error: the device is asked to fill host memory
    SAY(cudaMemset3D(make_cudaPitchedPtr(d, 16, 16, 2), 0, make_cudaExtent(32, 2, 1)));
    SAY(cudaMemset3D(make_cudaPitchedPtr(local, 16, 16, 2), 0, make_cudaExtent(16, 2, 1))); //~ ERROR api-error: the device is asked to fill host memory
    SAY(cudaMemset3D(make_cudaPitchedPtr(d, SIZE_MAX, 16, SIZE_MAX), 0, make_cudaExtent(16, 2, SIZE_MAX))); //~ ERROR out-of-bounds: out-of-bounds write of 18446744073709551615 bytes: running 1
    SAY(cudaMemset3DAsync(make_cudaPitchedPtr(d, 16, 16, 2), 0, make_cudaExtent(32, 2, 1), 0));

    // What is asked of pointers.
    cudaPointerAttributes about;
    SAY(cudaPointerGetAttributes(nullptr, d));
    SAY(cudaPointerGetAttributes(&about, nullptr));
    printf("type %d device %d\n", about.type, about.device);
    const cudaMemLocation away = {cudaMemLocationTypeDevice, 5}, here = {cudaMemLocationTypeDevice, 0}, invalid = {};
    SAY(cudaMemAdvise(managed, 4, cudaMemAdviseSetReadMostly, 5));
    SAY(cudaMemAdvise(managed, 4, cudaMemAdviseSetPreferredLocation, 5));
    SAY(cudaMemAdvise(managed, 4, (cudaMemoryAdvise)99, 0));
    SAY(cudaMemAdvise(managed, 0, cudaMemAdviseSetReadMostly, 0));
    SAY(cudaMemAdvise(d, 4, cudaMemAdviseSetReadMostly, 0));
    SAY(cudaMemAdvise_v2(managed, 4, cudaMemAdviseSetPreferredLocation, away));
    SAY(cudaMemAdvise_v2(managed, 4, cudaMemAdviseSetPreferredLocation, invalid));
    SAY(cudaMemAdvise_v2(managed, 4, (cudaMemoryAdvise)99, here));
    SAY(cudaMemPrefetchAsync(managed, 4, 5, 0));
    SAY(cudaMemPrefetchAsync(d, 4, 0, 0));
    SAY(cudaMemPrefetchAsync(managed, sizeof local + 1, 0, 0)); //~ ERROR out-of-bounds: out-of-bounds read of 257 bytes: running 1 byte past the end
    SAY(cudaMemPrefetchAsync(managed, SIZE_MAX, 0, 0)); //~ ERROR out-of-bounds: out-of-bounds read of 18446744073709551615 bytes: running 18
    SAY(cudaMemPrefetchAsync_v2(managed, 4, away, 0, 0));
    SAY(cudaMemPrefetchAsync_v2(managed, 4, here, 1, 0));
    SAY(cudaMemPrefetchAsync_v2(managed, 4, invalid, 0, 0));
    int value = 0;
    SAY(cudaMemRangeGetAttribute(nullptr, 4, cudaMemRangeAttributeReadMostly, managed, 4));
    SAY(cudaMemRangeGetAttribute(&value, 3, cudaMemRangeAttributeReadMostly, managed, 4));
    SAY(cudaMemRangeGetAttribute(&value, 4, (cudaMemRangeAttribute)99, managed, 4));
    SAY(cudaMemRangeGetAttribute(&value, 4, cudaMemRangeAttributeReadMostly, d, 4));
    cudaStream_t none = (cudaStream_t)&value;
    SAY(cudaStreamAttachMemAsync(none, managed)); //~ ERROR api-error: this value is not a stream
    SAY(cudaStreamAttachMemAsync(0, d));
    SAY(cudaStreamAttachMemAsync(0, managed, 0, 9));

    cudaFree(d);
    SAY(cudaFree(d)); //~ ERROR invalid-free: `d` (256 bytes from `cudaMalloc`) is freed twice
    SAY(cudaMemcpy(local, d, 4, cudaMemcpyDeviceToHost)); //~ ERROR use-after-free: read of 4 bytes of `d` (256 bytes from `cudaMalloc`) afte
    SAY(cudaMemset(d, 0, 4)); //~ ERROR use-after-free: write of 4 bytes of `d` (256 bytes from `cudaMalloc`) aft
    cudaFreeHost(pinned);
    SAY(cudaFreeHost(pinned)); //~ ERROR invalid-free: `pinned` (256 bytes from `cudaMallocHost`) is freed twice
    cudaFree(managed);
    printf("last: %s\n", cudaGetErrorName(cudaGetLastError()));
}
