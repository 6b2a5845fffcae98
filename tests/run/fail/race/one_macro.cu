// Two statements of one macro race: each is told, though both stand at the same place of the program.
__device__ int total, last;

#define COUNT (total += 1, last = threadIdx.x)

__global__ void count() {
    COUNT; //~ ERROR global-race: of `total`
    //~^ ERROR global-race: of `last`
}

int main() {
    count<<<1, 32>>>();
    cudaDeviceSynchronize();
    return 0;
}
