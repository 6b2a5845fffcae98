// Proofs for every shape and every argument: nobody tells how large blocks, rows and strides are. Near misses:
// tests/check/fail/shapes/any_launch.cu.
// flags: --verdicts --strict
__global__ void add(const float *a, const float *b, float *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

__global__ void image(float *out, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h)
        out[y * w + x] = x;
}

__global__ void volume(float *out, int w, int h, int d) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z;
    if (x < w && y < h && z < d)
        out[(z * h + y) * w + x] = x;
}

__global__ void stride(float *out, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        out[i] = i;
}

__global__ void wide_stride(float *out, size_t n) {
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)blockDim.x * gridDim.x)
        out[i] = i;
}

__global__ void rows(float *out, int rows, int w) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows)
        for (int j = 0; j < w; j++)
            out[r * w + j] = j;
}
