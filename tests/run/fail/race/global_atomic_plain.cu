// An atomic does not protect against a plain access; one of a block's scope not against other blocks.
__global__ void mix(int *counter, int *local) {
    atomicAdd(counter, 1); //~ RELATED global-race
    if (threadIdx.x == 5) counter[0] = 0; //~ ERROR global-race
    //~^ WARNING global-race
    atomicAdd_block(local, 1); //~ ERROR global-race
}

int main() {
    int *counters;
    cudaMalloc(&counters, 2 * sizeof(int));
    cudaMemset(counters, 0, 2 * sizeof(int));
    mix<<<2, 8>>>(counters, counters + 1);
    cudaDeviceSynchronize();
    cudaFree(counters);
    return 0;
}
