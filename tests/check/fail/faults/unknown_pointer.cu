// Accesses through pointers of which nothing is known: bounds are not checked, whatever else is proved.
// flags: --strict --block-dim 64 --grid-dim 1

__global__ void loaded(int **rows) {
    __shared__ int s[64];
    s[threadIdx.x] = 1;
    rows[0][threadIdx.x] = 1; //~ ERROR global-race //~ ERROR shared-race
}

__global__ void number(unsigned long long address) {
    ((int *)address)[threadIdx.x] = 1; //~ ERROR global-race
}
