// Where one kind of races is not looked for, no launch is proved by the run.
// revisions: all shared global
//[shared] flags: --no-check shared-race
//[global] flags: --no-check global-race
//[all] by-run: one proved
//[shared] by-run: one races were not looked for
//[global] by-run: one races were not looked for
__global__ void one(int *p) { p[threadIdx.x] = 1; }
int main() {
    int *p;
    cudaMalloc(&p, 128);
    one<<<1, 32>>>(p);
    cudaDeviceSynchronize();
    cudaFree(p);
    return 0;
}
