// Shared memory that is written before it is read: by the thread itself, by another one before a barrier, by a loop of the
// block, by a row, by one thread for all, by the iteration before.
// flags: --strict
#define N 128
// Numbered barriers are kept in shared memory, by cudair.
__global__ void numbered(int *out) {
    asm volatile("bar.sync 1, 64;");
    out[threadIdx.x] = 1;
}
__global__ void own(float *a) { __shared__ float s[N]; s[threadIdx.x] = a[threadIdx.x]; a[threadIdx.x] = s[threadIdx.x] * 2; }
__global__ void reversed(float *a) { __shared__ float s[N]; s[threadIdx.x] = a[threadIdx.x]; __syncthreads(); a[threadIdx.x] = s[N - 1 - threadIdx.x] * 2; }
__global__ void reduce(float *a, float *out) {
    __shared__ float s[N];
    int t = threadIdx.x;
    s[t] = a[blockIdx.x * N + t];
    __syncthreads();
    for (int k = N / 2; k > 0; k >>= 1) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}
__global__ void product(const float *a, const float *b, float *c, int n) {
    __shared__ float x[16][16], y[16][17];
    int tx = threadIdx.x, ty = threadIdx.y;
    float sum = 0;
    for (int m = 0; m < n / 16; m++) {
        x[ty][tx] = a[ty * n + m * 16 + tx];
        y[ty][tx] = b[(m * 16 + ty) * n + tx];
        __syncthreads();
        for (int k = 0; k < 16; k++) sum += x[ty][k] * y[k][tx];
        __syncthreads();
    }
    c[ty * n + tx] = sum;
}
__global__ void histogram(const unsigned char *d, unsigned *out, int n) {
    __shared__ unsigned h[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) h[i] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&h[d[i]], 1);
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(&out[i], h[i]);
}
__global__ void one(int *out) { __shared__ int n; if (threadIdx.x == 0) n = 5; __syncthreads(); out[threadIdx.x] = n + 1; }
__global__ void halo(const float *a, float *o) {
    __shared__ float s[N + 6];
    int t = threadIdx.x, g = blockIdx.x * N + t;
    s[t + 3] = a[g + 3];
    if (t < 3) { s[t] = a[g]; s[t + N + 3] = a[g + N + 3]; }
    __syncthreads();
    float r = 0;
    for (int j = -3; j <= 3; j++) r += s[t + 3 + j];
    o[g] = r;
}
__global__ void warps(float *a) {
    __shared__ float s[4];
    int lane = threadIdx.x & 31, w = threadIdx.x >> 5;
    float v = a[threadIdx.x];
    for (int o = 16; o; o >>= 1) v += __shfl_down_sync(~0u, v, o);
    if (lane == 0) s[w] = v;
    __syncthreads();
    if (threadIdx.x < 4) a[threadIdx.x] = s[lane] + 1;
}
__global__ void buffers(const float *a, float *o, int n) {
    __shared__ float s[2][N];
    int t = threadIdx.x;
    s[0][t] = a[t];
    __syncthreads();
    float r = 0;
    for (int k = 0; k < n; k++) {
        s[(k + 1) & 1][t] = a[(k + 1) * N + t];
        r += s[k & 1][N - 1 - t];
        __syncthreads();
    }
    o[t] = r;
}
__global__ void transpose(float *o, const float *i) {
    __shared__ float t[32][33];
    for (int j = 0; j < 32; j += 8) t[threadIdx.y + j][threadIdx.x] = i[(threadIdx.y + j) * 32 + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 32; j += 8) o[(threadIdx.y + j) * 32 + threadIdx.x] = t[threadIdx.x][threadIdx.y + j] + 1;
}
int main() {
    float *a, *b, *c; unsigned char *d; unsigned *h; int *e;
    cudaMalloc(&a, 1 << 20); cudaMalloc(&b, 1 << 20); cudaMalloc(&c, 1 << 20); cudaMalloc(&d, 4096); cudaMalloc(&h, 1024); cudaMalloc(&e, 512);
    cudaMemset(a, 0, 1 << 20); cudaMemset(b, 0, 1 << 20); cudaMemset(c, 0, 1 << 20);cudaMemset(d, 0, 4096);cudaMemset(h, 0, 1024);
    numbered<<<1, 64>>>(e); own<<<1, N>>>(a); reversed<<<1, N>>>(a); reduce<<<4, N>>>(a, b); product<<<1, dim3(16, 16)>>>(a, b, c, 64);
    histogram<<<1, 64>>>(d, h, 4096); one<<<1, 64>>>(e); halo<<<4, N>>>(a, b); warps<<<1, 128>>>(a); buffers<<<1, N>>>(a, b, 8);
    transpose<<<1, dim3(32, 8)>>>(b, a);
    cudaDeviceSynchronize();
    cudaFree(a); cudaFree(b); cudaFree(c); cudaFree(d); cudaFree(h); cudaFree(e);
}
