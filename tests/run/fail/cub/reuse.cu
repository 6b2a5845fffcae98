// A load that exchanges items through shared memory, and a scan in the same storage.
// revisions: without with
// std: c++14
#include <cub/cub.cuh>

#include <cstdio>

__global__ void scan(int* data) {
    typedef cub::BlockLoad<int, 64, 4, cub::BLOCK_LOAD_WARP_TRANSPOSE> Load;
    typedef cub::BlockScan<int, 64> Scan;
    __shared__ union {
        typename Load::TempStorage load;
        typename Scan::TempStorage scan;
    } temp;
    int items[4];
    Load(temp.load).Load(data, items); //[without]~ ERROR shared-race
#ifdef REV_with
    __syncthreads();
#endif
    Scan(temp.scan).InclusiveSum(items, items); //[without]~ RELATED shared-race
    cub::StoreDirectBlocked(threadIdx.x, data, items);
}

int main() {
    int* data;
    cudaMallocManaged(&data, 256 * sizeof(int));
    for (int i = 0; i < 256; i++) data[i] = i;
    scan<<<1, 64>>>(data);
    cudaDeviceSynchronize();
    printf("%d\n", data[255]);
    cudaFree(data);
    return 0;
}
