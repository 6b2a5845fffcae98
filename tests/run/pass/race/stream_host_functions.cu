// Functions of the host in streams: what they touch is ordered by their stream.
#include <stdio.h>

__global__ void fill(int *p, int v) {
    p[threadIdx.x] = v;
}

void check(void *data) {
    int *p = (int *)data;
    printf("%d\n", p[31]);
    p[0] = -1;
}

void callback(cudaStream_t, cudaError_t status, void *data) {
    printf("%d %d\n", (int)status, *(int *)data);
}

int main() {
    int *a, *b;
    cudaStream_t s, t;
    cudaEvent_t done;
    cudaMallocManaged(&a, 32 * sizeof(int));
    cudaMallocManaged(&b, 32 * sizeof(int));
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    cudaEventCreate(&done);
    fill<<<1, 32, 0, t>>>(b, 1);
    fill<<<1, 32, 0, s>>>(a, 2);
    cudaLaunchHostFunc(s, check, a);
    cudaEventRecord(done, s);
    cudaStreamWaitEvent(t, done, 0);
    cudaStreamAddCallback(t, callback, a, 0);
    cudaStreamSynchronize(t);
    printf("%d %d\n", a[0], b[0]);
    cudaFree(a);
    cudaFree(b);
    return 0;
}
