// Blocks that are far apart, and so on different cores, write one element; a middle one writes past the end of another
// array, where the launch ends.
__global__ void far_apart(int *a) {
    a[1 + blockIdx.x] = blockIdx.x;
    if (blockIdx.x % 199 == 0) a[0] = blockIdx.x; //~ ERROR global-race
}

__global__ void outside(int *a) {
    a[blockIdx.x + (blockIdx.x == 150)] = 1; //~ WARNING global-race
    if (blockIdx.x == 160) a[201] = 2; //~ ERROR out-of-bounds
}

int main() {
    int *a;
    cudaMalloc(&a, 201 * sizeof *a);
    far_apart<<<200, 1>>>(a);
    outside<<<200, 1>>>(a); // blocks 150 and 151 write one value
    cudaDeviceSynchronize();
    cudaFree(a);
    return 0;
}
