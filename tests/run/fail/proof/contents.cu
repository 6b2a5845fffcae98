// A launch that hangs on data is right with one content of memory and wrong with another: the first run proves nothing.
// revisions: apart together
//[apart] args: 0
//[together] args: 1
//[apart] exit: 0
// by-run: put an address depends on the value loaded at line 11
// by-run: meet a branch depends on the value loaded at line 15
#include <cstdlib>

__global__ void put(int *p, const int *index) {
    int i = index[threadIdx.x];
    p[i] = threadIdx.x; //[together]~ ERROR global-race
}
__global__ void meet(int *p, const int *index) {
    if (index[threadIdx.x] == (int)threadIdx.x)
        __syncthreads(); //[together]~ ERROR barrier-divergence
    p[threadIdx.x] = 1;
}
int main(int argc, char **argv) {
    int h[32], *p, *index;
    for (int i = 0; i < 32; i++) h[i] = atoi(argv[1]) && i == 7 ? 8 : i;
    cudaMalloc(&p, sizeof h);
    cudaMalloc(&index, sizeof h);
    cudaMemcpy(index, h, sizeof h, cudaMemcpyHostToDevice);
    put<<<1, 32>>>(p, index);
    meet<<<1, 32>>>(p, index);
    cudaDeviceSynchronize();
    cudaFree(p);
    cudaFree(index);
    return 0;
}
