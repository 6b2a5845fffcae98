// A launch that a fault ends is looked at for races up to there.
__global__ void kernel(int *v, int n) {
    int t = threadIdx.x;
    v[t] = t; //~ RELATED global-race
    int next = v[(t + 1) % 64]; //~ ERROR global-race
    __syncthreads();
    v[t == 5 ? n : t] = next; //~ ERROR out-of-bounds
}

int main() {
    int *v;
    cudaMalloc(&v, 64 * sizeof(int)); //~ RELATED out-of-bounds
    kernel<<<1, 64>>>(v, 64);
    (void)cudaDeviceSynchronize();
    cudaFree(v);
    return 0;
}
