// A numbered barrier orders those that take part, and nobody else.
__global__ void part(int* out) {
    __shared__ int word[2];
    int t = threadIdx.x;
    if (t == 0)
        word[0] = 3;
    if (t == 128)
        word[1] = 4;
    if (t < 128) {
        asm volatile("bar.sync 1, 128;" ::: "memory");
        out[t] = word[0];
        if (t == 64)
            out[t] = word[1]; //~ ERROR shared-race
    }
}

int main() {
    int* out;
    cudaMalloc(&out, 256 * sizeof *out);
    part<<<1, 256>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
