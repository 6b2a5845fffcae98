// The device's part of the runtime: streams, events, memory, copies, fills and errors.
#include <cstdio>

__global__ void show(const int* data, int n) {
    for (int i = 0; i < n; i++)
        printf("%d%c", data[i], i + 1 < n ? ' ' : '\n');
}

__global__ void parent(int* box, const int* in) {
    cudaStream_t s, other;
    cudaEvent_t e;
    printf("%d", cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    printf(" %d", cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    printf(" %d", cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    printf(" %d", cudaMemsetAsync(box, 0, 8 * sizeof(int), s));
    printf(" %d", cudaMemcpyAsync(box + 2, in, 3 * sizeof(int), cudaMemcpyDeviceToDevice, s));
    printf(" %d", cudaEventRecord(e, s));
    printf(" %d", cudaStreamWaitEvent(other, e, 0));
    show<<<1, 1, 0, other>>>(box, 8);
    printf(" %d", cudaEventDestroy(e));
    printf(" %d", cudaStreamDestroy(s));
    printf(" %d\n", cudaStreamDestroy(other));

    // A stream of device code must not block.
    printf("%s", cudaGetErrorName(cudaStreamCreateWithFlags(&s, cudaStreamDefault)));
    printf(" %d", cudaPeekAtLastError());
    printf(" %s", cudaGetErrorString(cudaGetLastError()));
    printf(" %d\n", cudaGetLastError());

    int device = -1, count = -1;
    cudaGetDevice(&device);
    cudaGetDeviceCount(&count);
    printf("device %d of %d\n", device, count);

    int* more = nullptr;
    printf("%d", cudaMalloc(&more, 4 * sizeof(int)));
    for (int i = 0; i < 4; i++)
        more[i] = i * i;
    printf(" %d", more[3]);
    printf(" %d", cudaFree(more));
    printf(" %d", cudaFree(nullptr));
    void* huge = nullptr;
    printf(" %s\n", cudaGetErrorName(cudaMalloc(&huge, (size_t)1 << 40)));
}

int main() {
    int host[3] = {7, 8, 9};
    int *box, *in;
    cudaMalloc(&box, 8 * sizeof(int));
    cudaMalloc(&in, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    parent<<<1, 1>>>(box, in);
    printf("host: %d\n", cudaDeviceSynchronize());
    cudaFree(box);
    cudaFree(in);
}
