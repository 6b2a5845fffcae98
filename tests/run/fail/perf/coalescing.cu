// Sectors of 32 bytes against the least that the bytes fill: neighbours, strides, a misaligned start, a broadcast.
// flags: --perf
// exit: 0
#include <cstdio>

struct Pair { float a, b; };

__global__ void k(float *out, const float *in, Pair *pairs) {
    int t = threadIdx.x;
    float x = in[t];              // 4 of 4
    x += in[2 * t];               //~ NOTE uncoalesced-access: 16 sectors of 32 bytes where 8 would do: 2 times as many
    x += in[t + 1];               //~ NOTE uncoalesced-access: 10 sectors of 32 bytes where 8 would do: 1.3 times as many
    x += in[32 * (t % 32)];       //~ NOTE uncoalesced-access: 64 sectors of 32 bytes where 8 would do: 8 times as many
    x += in[5];                   // 1 of 1
    x += in[31 - t % 32];         // backwards is as good as forwards
    pairs[t].a = x;               //~ NOTE uncoalesced-access: 16 sectors of 32 bytes where 8 would do: 2 times as many
    out[t] = x;
}

int main() {
    float *in, *out, h[1024];
    Pair *pairs;
    for (int i = 0; i < 1024; i++) h[i] = 1;
    cudaMalloc(&in, sizeof(h));
    cudaMalloc(&out, 64 * sizeof(float));
    cudaMalloc(&pairs, 64 * sizeof(Pair));
    cudaMemcpy(in, h, sizeof(h), cudaMemcpyHostToDevice);
    k<<<1, 64>>>(out, in, pairs);
    cudaMemcpy(h, out, 64 * sizeof(float), cudaMemcpyDeviceToHost);
    printf("%g\n", h[63]);
    cudaFree(in);
    cudaFree(out);
    cudaFree(pairs);
    return 0;
}
