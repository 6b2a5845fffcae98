// A pool of memory that is exported and imported again by the same process: the same memory under a second pool.
#include <cstdint>
#include <cstdio>

#define SAY(call) printf("%s: %s\n", #call, cudaGetErrorName(call))

int main() {
    cudaMemPool_t pool, own, imported, none = nullptr;
    cudaMemPoolProps how = {};
    how.allocType = cudaMemAllocationTypePinned;
    how.location = {cudaMemLocationTypeDevice, 0};
    how.handleTypes = cudaMemHandleTypePosixFileDescriptor;
    int file = -1, value = 0;
    int *p, *q, *alias;
    cudaMemPoolPtrExportData data;
    SAY(cudaMemPoolCreate(&pool, &how));
    cudaDeviceGetDefaultMemPool(&own, 0);
    SAY(cudaMemPoolExportToShareableHandle(&file, pool, cudaMemHandleTypePosixFileDescriptor, 0));
    SAY(cudaMemPoolExportToShareableHandle(nullptr, pool, cudaMemHandleTypePosixFileDescriptor, 0));
    SAY(cudaMemPoolExportToShareableHandle(&file, own, cudaMemHandleTypePosixFileDescriptor, 0));
    void *handle = (void *)(uintptr_t)file;
    SAY(cudaMemPoolImportFromShareableHandle(&imported, handle, cudaMemHandleTypePosixFileDescriptor, 0));
    SAY(cudaMemPoolImportFromShareableHandle(&none, handle, cudaMemHandleTypeWin32, 0));
    SAY(cudaMemPoolImportFromShareableHandle(&none, (void *)3, cudaMemHandleTypePosixFileDescriptor, 0));
    SAY(cudaMallocFromPoolAsync(&p, 4, pool, 0));
    SAY(cudaMallocFromPoolAsync(&q, 4, imported, 0));
    SAY(cudaMallocAsync(&q, 4, 0));
    SAY(cudaMemPoolExportPointer(&data, p));
    SAY(cudaMemPoolExportPointer(nullptr, p));
    cudaMemPoolPtrExportData nothing = {};
    SAY(cudaMemPoolExportPointer(&nothing, q));
    SAY(cudaMemPoolImportPointer((void **)&alias, imported, &data));
    SAY(cudaMemPoolImportPointer((void **)&q, imported, &nothing));
    value = 4711;
    cudaMemcpy(p, &value, 4, cudaMemcpyHostToDevice);
    value = 0;
    cudaMemcpy(&value, alias, 4, cudaMemcpyDeviceToHost);
    printf("%d\n", value);
    // What was imported goes first.
    SAY(cudaFreeAsync(alias, 0));
    SAY(cudaFreeAsync(p, 0));
    SAY(cudaFreeAsync(q, 0));
    SAY(cudaMemPoolDestroy(imported));
    SAY(cudaMemPoolDestroy(pool));
}
