// Where anything was wrong with a launch, it is not proved: writes of one value, what was never written, a thread that ended.
// flags: --after-fault thread
// by-run: alike something is wrong in it
// by-run: fresh something is wrong in it
// by-run: beyond something is wrong in it
// by-run: mixed something is wrong in it
// by-run: right proved
__global__ void alike(int *p) {
    p[0] = 1; //~ WARNING global-race
}
__global__ void fresh(int *p) {
    __shared__ int box[32];
    p[threadIdx.x] = box[threadIdx.x] + 1; //~ ERROR uninitialized-read
}
__global__ void beyond(int *p) {
    p[threadIdx.x == 5 ? 40 : threadIdx.x] = 1; //~ ERROR out-of-bounds
}
// One of its launches is right.
__global__ void mixed(int *p, int n) {
    p[threadIdx.x % n] = 1; //~ WARNING global-race
}
__global__ void right(int *p) { p[threadIdx.x] = 1; }
int main() {
    int *p;
    cudaMalloc(&p, 32 * sizeof(int));
    alike<<<1, 32>>>(p);
    fresh<<<1, 32>>>(p);
    beyond<<<1, 32>>>(p);
    mixed<<<1, 32>>>(p, 32);
    mixed<<<1, 32>>>(p, 31);
    right<<<1, 32>>>(p);
    cudaDeviceSynchronize();
    cudaFree(p);
    return 0;
}
