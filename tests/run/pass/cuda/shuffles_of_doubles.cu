// Shuffles of two words, by lanes of a whole warp and of a part of it, with operands of each lane; votes of words.
#include <cstdio>

__global__ void exchange(double *out, long long *indices, unsigned *votes) {
    int t = threadIdx.x;
    double x = t + 0.5;
    for (int d = 16; d > 0; d /= 2) x += __shfl_down_sync(0xffffffff, x, d);
    if (t % 32 == 0) out[t / 32] = x;
    // Each lane asks its own neighbour, in segments of eight.
    long long mine = t * 1000000007LL;
    indices[t] = __shfl_sync(0xffffffff, mine, (t * 3) % 8, 8);
    if (t < 8) {
        double part = t * 0.25;
        for (int d = 4; d > 0; d /= 2) part += __shfl_down_sync(0xff, part, d, 8);
        if (t == 0) out[2] = part;
        float up = __shfl_up_sync(0xff, (float)t, 1);
        if (t == 7) out[3] = up;
        unsigned who = __ballot_sync(0xff, t & 2), any = __any_sync(0xff, t == 9);
        if (t == 0) votes[0] = who, votes[1] = any;
    } else if (t < 16) {
        unsigned all = __all_sync(0xff00, t), who = __ballot_sync(0xff00, t > 12);
        if (t == 8) votes[2] = all, votes[3] = who;
    }
}

int main() {
    double *out;
    long long *indices;
    unsigned *votes;
    cudaMallocManaged(&out, 4 * sizeof *out);
    cudaMallocManaged(&indices, 64 * sizeof *indices);
    cudaMallocManaged(&votes, 4 * sizeof *votes);
    exchange<<<1, 64>>>(out, indices, votes);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    printf("%g %g %g %g\n", out[0], out[1], out[2], out[3]);
    for (int t = 0; t < 64; t += 13) printf("%d: %lld\n", t, indices[t] / 1000000007LL);
    printf("%x %u %u %x\n", votes[0], votes[1], votes[2], votes[3]);
    cudaFree(out);
    cudaFree(indices);
    cudaFree(votes);
}
