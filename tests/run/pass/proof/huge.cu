// Races in an object of two gigabytes or more are not looked for: a launch is proved only without one.
// revisions: huge large
//[huge] by-run: one 2 GiB
//[large] by-run: one proved
__global__ void one(char *p) { p[threadIdx.x] = 1; }
int main() {
    char *p;
#ifdef REV_huge
    cudaMalloc(&p, 5ull << 29);
#else
    cudaMalloc(&p, 1ull << 30);
#endif
    one<<<1, 32>>>(p);
    cudaDeviceSynchronize();
    cudaFree(p);
    return 0;
}
