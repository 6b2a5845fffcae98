// A kernel that no file of the program defines, in grids of all sizes.
// revisions: small large
__global__ void elsewhere(int *a);

int main() {
    int *d;
    cudaMalloc(&d, 400);
#ifdef REV_small
    elsewhere<<<1, 32>>>(d);
#else
    elsewhere<<<8192, 256>>>(d);
#endif
    cudaDeviceSynchronize(); //~ DIAGNOSTIC unsupported: call of `elsewhere` in device code, which is neither defined in the program
    cudaFree(d);
}
