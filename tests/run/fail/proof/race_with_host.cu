// That no two threads of a launch race is proved; the host races with the launch all the same.
// flags: --verdicts
__global__ void add(int *p) {
    atomicAdd(p, 1); //~ RELATED global-race
}

int main() {
    int *p;
    cudaMallocManaged(&p, sizeof(int));
    *p = 0;
    add<<<2, 32>>>(p); //~ RELATED global-race
    int seen = *p; //~ ERROR global-race
    cudaDeviceSynchronize();
    cudaFree(p);
    return seen < 0;
}
