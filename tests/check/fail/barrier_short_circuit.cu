// The right side of && runs in some threads only.
__global__ void kernel(int *p) {
    if (threadIdx.x > 4 && __syncthreads_or(p[0])) { //~ ERROR barrier-divergence
        p[1] = 1;
    }
    __syncthreads();
}

int main() {
    kernel<<<1, 32>>>((int *)0);
    return 0;
}
