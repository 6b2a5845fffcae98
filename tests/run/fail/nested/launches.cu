// Launches by device code that the device refuses, and children that do something wrong.
// revisions: fine block depth stream child shared local
#include <cstdio>

__global__ void put(int* p, int i) {
    p[i] = i; //[child]~ ERROR out-of-bounds: just past the end
    //[shared]~^ ERROR wrong-memory-space: of a launch that has ended
    //[local]~^^ ERROR use-after-free: after its lifetime has ended
}

__global__ void nest(int depth) {
    if (depth < 30)
        nest<<<1, 1>>>(depth + 1); //[depth]~ ERROR invalid-launch: grids nest at most 24 deep
    if (cudaGetLastError() == cudaErrorLaunchMaxDepthExceeded)
        printf("too deep: %d\n", depth);
}

__global__ void parent(int* p) {
    __shared__ int box[4];
    int mine[4];
#if defined(REV_fine)
    put<<<1, 1>>>(p, 3);
#elif defined(REV_block)
    put<<<1, 2048>>>(p, 3); //[block]~ ERROR invalid-launch: x is more than 1024
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
#elif defined(REV_depth)
    nest<<<1, 1>>>(1);
#elif defined(REV_stream)
    put<<<1, 1, 0, (cudaStream_t)0x1234>>>(p, 3);
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
#elif defined(REV_child)
    put<<<1, 1>>>(p, 4);
#elif defined(REV_shared)
    put<<<1, 1>>>(box, 3);
#elif defined(REV_local)
    put<<<1, 1>>>(mine, 3);
#endif
    box[0] = mine[0] = 0;
}

int main() {
    int* p;
    cudaMalloc(&p, 4 * sizeof(int)); //[child]~ RELATED out-of-bounds
    parent<<<1, 1>>>(p);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaFree(p);
}
