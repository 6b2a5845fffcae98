// Barriers that depend on parameters, block indices and constants are reached by all or none.
__global__ void kernel(int *p, int n, bool flag) {
    p += blockIdx.x * blockDim.x;
    if (n > 10) __syncthreads();
    if (blockIdx.x % 2 || flag) __syncthreads();
    for (int i = n; i > 0; i /= 2) {
        p[threadIdx.x] += i;
        __syncthreads();
    }
    int own = threadIdx.x % 2 ? n : n; // the same, whichever side
    if (n == 3) own = 5;
    switch (n) {
    case 1: __syncthreads(); break;
    case 2: __syncthreads(); __syncthreads(); break;
    }
    p[threadIdx.x] = own;
}

int main() {
    kernel<<<2, 64>>>((int *)0, 3, true);
    return 0;
}
