// The last byte of each object, and addresses that are made and not used.
#include <cstdio>
#include <cstring>

struct alignas(16) Wide { int v[4]; };
struct __attribute__((packed)) Packed { char c; int i; double d; };

__constant__ int table[5] = {1, 2, 3, 4, 5};
__device__ char bytes[13];

__global__ void ends(int *out, Wide *w, Packed *p, char *raw) {
    __shared__ int a[7];
    __shared__ int b[3];
    int t = threadIdx.x;
    if (t == 0) {
        a[6] = 6;
        b[0] = 1;
        b[2] = 3;
        bytes[12] = 'z';
        int *end = a + 7; // one behind: may be made and compared
        out[0] = a[6] + b[0] + b[2] + table[4] + bytes[12] + (end - a);
        w[3].v[3] = 9;
        p[2].d = 0.5;
        p[2].i = 7;
        out[1] = w[3].v[3] + p[2].i + (int)(p[2].d * 4);
        // Any alignment, byte by byte.
        float f = 1.5f, g;
        memcpy(raw + 1, &f, sizeof f);
        memcpy(&g, raw + 1, sizeof g);
        out[2] = (int)(g * 2);
        const int *before = out - 1;
        out[3] = *(before + 1) > 0;
    }
}

// A guard that keeps all but the right threads away.
__global__ void guarded(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[min(i, n - 1)] = i < n ? in[i] * 2 : in[n - 1] * 2;
}

int main() {
    int *out;
    Wide *w;
    Packed *p;
    char *raw;
    float *in, *twice;
    cudaMallocManaged(&out, 4 * sizeof(int));
    cudaMalloc(&w, 4 * sizeof(Wide));
    cudaMalloc(&p, 3 * sizeof(Packed));
    cudaMalloc(&raw, 5);
    ends<<<1, 32>>>(out, w, p, raw);
    cudaDeviceSynchronize();
    printf("%d %d %d %d\n", out[0], out[1], out[2], out[3]);
    const int n = 37;
    cudaMallocManaged(&in, n * sizeof(float));
    cudaMallocManaged(&twice, n * sizeof(float));
    for (int i = 0; i < n; i++) in[i] = i;
    guarded<<<1, n>>>(in, twice, n);
    cudaDeviceSynchronize();
    printf("%g\n", twice[36]);
    cudaFree(out); cudaFree(w); cudaFree(p); cudaFree(raw); cudaFree(in); cudaFree(twice);
    cudaFree(nullptr);
    free(nullptr);
}
