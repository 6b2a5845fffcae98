// Two streams write one value to one place; a fill and a kernel write the same bytes.
__global__ void mark(int *found) {
    *found = 1; //~ WARNING global-race
    //~^ RELATED global-race
}

__global__ void clear(char *p) {
    p[threadIdx.x] = 0; //~ WARNING global-race
}

int main() {
    int *found, host[2];
    cudaStream_t s, t;
    cudaMalloc(&found, 2 * sizeof(int));
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    mark<<<1, 1, 0, s>>>(found); //~ RELATED global-race
    mark<<<1, 1, 0, t>>>(found); //~ RELATED global-race
    cudaDeviceSynchronize();
    cudaMemsetAsync(found, 0, 2 * sizeof(int), s); //~ RELATED global-race
    clear<<<1, 4, 0, t>>>((char *)found); //~ RELATED global-race
    cudaMemcpy(host, found, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(found);
    return 0;
}
