// A kernel and the loop that checks it: a 2D stencil of five points, 1024 by 1024, four steps.
#include "host.h"

#define N 1024
#define STEPS 4

static void step_cpu(const float *in, float *out, int width, int height)
{
    for (int y = 1; y < height - 1; ++y) {
        for (int x = 1; x < width - 1; ++x) {
            int at = y * width + x;
            out[at] = 0.25f * (in[at - 1] + in[at + 1] + in[at - width] + in[at + width]) - in[at] * 0.5f;
        }
    }
}

#ifndef NO_DEVICE
__global__ void step(const float *in, float *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1)
        return;
    int at = y * width + x;
    out[at] = 0.25f * (in[at - 1] + in[at + 1] + in[at - width] + in[at + width]) - in[at] * 0.5f;
}
#endif

int main(void)
{
    size_t bytes = sizeof(float) * N * N;
    float *in = (float *)malloc(bytes);
    float *a = (float *)malloc(bytes);
    float *b = (float *)malloc(bytes);
    for (int i = 0; i < N * N; i++) {
        in[i] = (float)(host_random() % 64);
        a[i] = in[i];
        b[i] = in[i];
    }
    host_begin();
    for (int s = 0; s < STEPS; s++) {
        step_cpu(a, b, N, N);
        float *t = a;
        a = b;
        b = t;
    }
    host_end();
    double sum = 0.0;
    for (int i = 0; i < N * N; i++)
        sum += a[i] * (i % 5);
    printf("%.4f\n", sum);
#ifndef NO_DEVICE
    float *da, *db;
    cudaMalloc(&da, bytes);
    cudaMalloc(&db, bytes);
    cudaMemcpy(da, in, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(db, in, bytes, cudaMemcpyHostToDevice);
    for (int s = 0; s < STEPS; s++) {
        step<<<dim3(N / 32, N / 8), dim3(32, 8)>>>(da, db, N, N);
        float *t = da;
        da = db;
        db = t;
    }
    cudaMemcpy(b, da, bytes, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N * N; i++) {
        float d = a[i] - b[i];
        if (d > 1e-3f || d < -1e-3f) {
            printf("kernel and loop differ at %d\n", i);
            break;
        }
    }
    cudaFree(da);
    cudaFree(db);
#endif
    free(in);
    free(a);
    free(b);
    return 0;
}
