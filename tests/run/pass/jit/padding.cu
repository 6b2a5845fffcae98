// Lanes that do not run under a branch, and whose places would be outside of small variables that a block shares: no byte of those, and of
// their neighbours, changes but what lanes that run write, and variables are read to their ends.
// run-flags: --engine jit
#include <cstdio>

__global__ void small(int *out, const int *at, int round) {
    __shared__ int before[3], some[5], behind[3];
    __shared__ float numbers[3];
    __shared__ long long wide[3];
    __shared__ unsigned char bytes[7];
    __shared__ short halves[5];
    extern __shared__ int rest[];
    int t = threadIdx.x;
    if (t < 3) before[t] = behind[t] = 1000 + t, numbers[t] = t, wide[t] = (long long)t << 33;
    if (t < 5) some[t] = t, halves[t] = 10 * t, rest[t] = 7 - t;
    if (t < 7) bytes[t] = 100 + t;
    __syncthreads();
    int sum = 0, far = at[t];
    // Of eight lanes in a row some run; the others are far outside, on either side.
    if (t % 8 == round) {
        sum = some[far % 5] + bytes[far % 7] + halves[far % 5] + (int)(wide[far % 3] >> 33) + rest[far % 5] + (int)numbers[far % 3];
    }
    if (far < 7 && t % 3 != 1) sum += bytes[far];
    if (far < 5 && t % 3 != 1) sum += some[far] + halves[far] + rest[far];
    if (far < 3 && t % 3 != 1) sum += (int)(wide[far] >> 33) + (int)numbers[far];
    __syncthreads();
    if (t == 11) some[far] = 50;
    if (t == 19) some[4] = 51;
    if (t == 27) numbers[far % 3] = 0.5f;
    if (t % 32 == 30 && at[t] > 30) rest[(t + round) % 5] = -1;
    __syncthreads();
    for (int i = 0; i < 3; i++) sum += before[i] + 3 * behind[i] + (int)(2 * numbers[i]) + (int)(wide[i] >> 32);
    for (int i = 0; i < 5; i++) sum = sum * 3 + some[i] + rest[i];
    out[t] = sum;
}

int main() {
    int *out, *at;
    cudaMallocManaged(&out, 32 * sizeof(int));
    cudaMallocManaged(&at, 32 * sizeof(int));
    for (int round = 0; round < 8; round++) {
        for (int i = 0; i < 32; i++) at[i] = i % 8 == round ? i % 5 : i % 4 ? i * 1000003 : i % 7;
        at[11] = round % 4;
        small<<<1, 32, 5 * sizeof(int)>>>(out, at, round);
        if (cudaDeviceSynchronize() != cudaSuccess) return 1;
        long long sum = 0;
        for (int i = 0; i < 32; i++) sum = (sum * 31 + out[i]) % 1000000007;
        printf("%lld\n", sum);
    }
    cudaFree(at);
    cudaFree(out);
}
