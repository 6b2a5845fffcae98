// A race that the analysis and the run have found is one finding, whether at one place or between two.
// flags: --verdicts
__global__ void both(int *p) {
    p[0] = threadIdx.x; //~ ERROR global-race
}
__global__ void pair(int *p) {
    p[threadIdx.x] = 1; //~ RELATED global-race
    p[32 + threadIdx.x] =
        p[threadIdx.x ^ 1]; //~ ERROR global-race
}
int main() {
    int *p;
    cudaMalloc(&p, 64 * sizeof(int));
    both<<<1, 32>>>(p);
    pair<<<1, 32>>>(p);
    cudaDeviceSynchronize();
    cudaFree(p);
    return 0;
}
