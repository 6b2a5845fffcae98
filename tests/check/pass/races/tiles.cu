// A tiled matrix product: two barriers in a loop, an inner loop without one, rows and columns.
// flags: --block-dim 16,16 --grid-dim 8,8 --strict
__global__ void multiply(const float *a, const float *b, float *c) {
    const int n = 128;
    __shared__ float left[16][16], right[16][17];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
    float sum = 0;
    for (int tile = 0; tile < n / 16; tile++) {
        left[y][x] = a[row * n + tile * 16 + x];
        right[y][x] = b[(tile * 16 + y) * n + column];
        __syncthreads();
        for (int k = 0; k < 16; k++)
            sum += left[y][k] * right[k][x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}
