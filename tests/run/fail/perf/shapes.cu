// Blocks of several rows, elements of other sizes, pointers into an object, conditions on rows.
// flags: --perf
// exit: 0
#include <cstdio>

__global__ void square(float *m) {
    __shared__ float tile[16][16];
    __shared__ float padded[16][17];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = m[y * 16 + x];
    padded[y][x] = m[y * 16 + x]; //~ NOTE bank-conflict: 16 transactions where 8 would do: 2 times as many
    __syncthreads();
    m[y * 16 + x] = tile[x][y]; //~ NOTE bank-conflict: 64 transactions where 8 would do: 8 times as many
    m[y * 16 + x] = padded[x][y]; //~ NOTE bank-conflict: 16 transactions where 8 would do: 2 times as many
}

__global__ void sizes(char *c, short *s, double *d) {
    __shared__ char bytes[256];
    __shared__ double wide[64];
    __shared__ double apart[128];
    int t = threadIdx.x;
    bytes[t] = c[t];
    __syncthreads();
    bytes[4 * t] = c[2 * t]; //~ NOTE uncoalesced-access: 4 sectors of 32 bytes where 2 would do: 2 times as many
    wide[t] = d[t];
    apart[2 * t] = wide[t]; //~ NOTE bank-conflict: 8 transactions where 4 would do: 2 times as many
    __syncthreads();
    s[t] = bytes[t] + bytes[4 * t];
    d[t ^ 1] = apart[2 * t]; //~ NOTE bank-conflict: 8 transactions where 4 would do: 2 times as many
}

__global__ void broadcast(const int *in, int *out) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[0];
    __syncthreads();
    out[t] = s[5] + s[t / 32] + in[t / 8];
}

__global__ void rows(int *p) {
    if (threadIdx.y % 2 == 0) p[threadIdx.y * 8 + threadIdx.x] = 1; //~ NOTE warp-divergence: 2 of 2 executions of this branch split a warp
    if (threadIdx.y / 4 == 0) p[threadIdx.y * 8 + threadIdx.x] = 2;
    if (threadIdx.x < 4 && threadIdx.y > 1) p[threadIdx.y * 8 + threadIdx.x] = 3; //~ NOTE uncoalesced-access: 6 sectors of 32 bytes where 3 would do: 2 times as many //~ NOTE warp-divergence: 2 of 2 executions of this branch split a warp //~ NOTE warp-divergence: 1 of 2 executions of this branch split a warp
}

__global__ void moved(int *p) { p[threadIdx.x] = 1; } //~ NOTE uncoalesced-access: 10 sectors of 32 bytes where 8 would do: 1.3 times as many

__global__ void moved_far(int *p) { p[threadIdx.x] = 1; }

int main() {
    float *m;
    double *d;
    int *p, h[64];
    cudaMalloc(&m, 256 * sizeof(float));
    cudaMemset(m, 0, 256 * sizeof(float));
    cudaMalloc(&d, 64 * sizeof(double));
    cudaMemset(d, 0, 64 * sizeof(double));
    cudaMalloc(&p, 128 * sizeof(int));
    cudaMemset(p, 0, 128 * sizeof(int));
    square<<<1, dim3(16, 16)>>>(m);
    sizes<<<1, 64>>>((char *)m, (short *)p, d);
    broadcast<<<1, 64>>>((int *)m, p);
    rows<<<1, dim3(8, 8)>>>(p);
    moved<<<1, 64>>>(p + 3);
    moved_far<<<1, 64>>>(p + 8);
    cudaMemcpy(h, p, sizeof(h), cudaMemcpyDeviceToHost);
    printf("%d\n", h[40]);
    cudaFree(m);
    cudaFree(d);
    cudaFree(p);
    return 0;
}
