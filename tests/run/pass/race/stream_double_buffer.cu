// A long array in pieces through two pinned buffers and two streams: the host fills one buffer while the other is
// under way, and waits for the event of a buffer before it uses it again.
#include <stdio.h>

#define PIECE 256
#define PIECES 8

__global__ void square(int *p) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    p[i] *= p[i];
}

int main() {
    int *host[2], *device[2];
    cudaStream_t stream[2];
    cudaEvent_t done[2];
    for (int i = 0; i < 2; ++i) {
        cudaMallocHost(&host[i], PIECE * sizeof(int));
        cudaMalloc(&device[i], PIECE * sizeof(int));
        cudaStreamCreate(&stream[i]);
        cudaEventCreate(&done[i]);
    }
    long long sum = 0;
    for (int piece = 0; piece < PIECES + 2; ++piece) {
        const int b = piece % 2;
        if (piece >= 2) {
            cudaEventSynchronize(done[b]);
            for (int i = 0; i < PIECE; ++i) sum += host[b][i];
        }
        if (piece >= PIECES) continue;
        for (int i = 0; i < PIECE; ++i) host[b][i] = piece * PIECE + i;
        cudaMemcpyAsync(device[b], host[b], PIECE * sizeof(int), cudaMemcpyHostToDevice, stream[b]);
        square<<<PIECE / 64, 64, 0, stream[b]>>>(device[b]);
        cudaMemcpyAsync(host[b], device[b], PIECE * sizeof(int), cudaMemcpyDeviceToHost, stream[b]);
        cudaEventRecord(done[b], stream[b]);
    }
    printf("%lld\n", sum);

    // Breadth first over one pinned array, as NVIDIA's guide has it.
    int *all, *many;
    cudaMallocHost(&all, 2 * PIECE * sizeof(int));
    cudaMalloc(&many, 2 * PIECE * sizeof(int));
    for (int i = 0; i < 2 * PIECE; ++i) all[i] = i;
    for (int i = 0; i < 2; ++i) {
        cudaMemcpyAsync(many + i * PIECE, all + i * PIECE, PIECE * sizeof(int), cudaMemcpyHostToDevice, stream[i]);
    }
    for (int i = 0; i < 2; ++i) square<<<PIECE / 64, 64, 0, stream[i]>>>(many + i * PIECE);
    for (int i = 0; i < 2; ++i) {
        cudaMemcpyAsync(all + i * PIECE, many + i * PIECE, PIECE * sizeof(int), cudaMemcpyDeviceToHost, stream[i]);
    }
    // One half is there, the other may be under way.
    cudaStreamSynchronize(stream[0]);
    printf("%d\n", all[PIECE - 1]);
    cudaDeviceSynchronize();
    printf("%d\n", all[2 * PIECE - 1]);

    cudaFreeHost(all);
    cudaFree(many);
    for (int i = 0; i < 2; ++i) {
        cudaFreeHost(host[i]);
        cudaFree(device[i]);
    }
    return 0;
}
