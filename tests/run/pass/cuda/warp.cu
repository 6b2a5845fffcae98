// Warp operations: shuffles of each kind and type, votes, matches, reductions, masks, segments.
#include <stdio.h>

#define FULL 0xffffffffu

__global__ void shuffles(int *out, double *real) {
    int t = threadIdx.x;
    int down = t, scan = t + 1;
    for (int d = 16; d > 0; d /= 2) down += __shfl_down_sync(FULL, down, d);
    for (int d = 1; d < 32; d *= 2) {
        int other = __shfl_up_sync(FULL, scan, d);
        if (t >= d) scan += other;
    }
    out[t] = __shfl_sync(FULL, down, 0);
    out[32 + t] = scan;
    out[64 + t] = __shfl_xor_sync(FULL, t, 5);
    out[96 + t] = __shfl_sync(FULL, t * 2, 3, 8);
    out[128 + t] = __shfl_down_sync(FULL, t, 3, 8);
    out[160 + t] = __shfl_up_sync(FULL, t, 3, 8);
    out[192 + t] = __shfl_sync(FULL, t, t + 33);
    real[t] = __shfl_xor_sync(FULL, t * 0.5, 1) + __shfl_sync(FULL, (float)t, 7);
    long long wide = __shfl_down_sync(FULL, (long long)t << 35, 1);
    out[224 + t] = (int)(wide >> 35);
}

__global__ void votes(unsigned *out) {
    int t = threadIdx.x;
    unsigned even = __ballot_sync(FULL, t % 2 == 0);
    int all = __all_sync(FULL, t < 32), any = __any_sync(FULL, t == 40);
    unsigned same = __match_any_sync(FULL, t / 10);
    int predicate;
    unsigned agreed = __match_all_sync(FULL, 7, &predicate);
    unsigned sum = __reduce_add_sync(FULL, (unsigned)t), most = __reduce_max_sync(FULL, (unsigned)(t ^ 21));
    int least = __reduce_min_sync(FULL, -t);
    unsigned bits = __reduce_xor_sync(FULL, 1u << (t % 30));
    if (t == 12) {
        out[0] = even;
        out[1] = all * 10 + any;
        out[2] = same;
        out[3] = agreed + predicate;
        out[4] = sum;
        out[5] = most;
        out[6] = (unsigned)-least;
        out[7] = bits;
    }
    if (t < 8) {
        unsigned mask = __activemask() & 0xff;
        unsigned low = __ballot_sync(0xff, t > 3);
        int from = __shfl_sync(0xff, t * t, 7);
        if (t == 0) out[8] = mask, out[9] = low, out[10] = from;
    }
    __syncwarp();
    out[11 + t] = __popc(even & ((1u << t) - 1));
}

int main() {
    int *dev, host[256];
    double *real, reals[32];
    unsigned *dev_votes, v[43];
    cudaMalloc(&dev, sizeof host);
    cudaMalloc(&real, sizeof reals);
    cudaMalloc(&dev_votes, sizeof v);
    shuffles<<<1, 32>>>(dev, real);
    cudaMemcpy(host, dev, sizeof host, cudaMemcpyDeviceToHost);
    cudaMemcpy(reals, real, sizeof reals, cudaMemcpyDeviceToHost);
    for (int row = 0; row < 8; ++row)
        printf("%d %d %d %d\n", host[row * 32], host[row * 32 + 9], host[row * 32 + 14], host[row * 32 + 31]);
    printf("%g %g\n", reals[0], reals[31]);
    votes<<<1, 32>>>(dev_votes);
    cudaMemcpy(v, dev_votes, sizeof v, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 11; ++i) printf("%x ", v[i]);
    printf("%d %d\n", v[11 + 1], v[11 + 31]);
    cudaFree(dev);
    cudaFree(real);
    cudaFree(dev_votes);
    return 0;
}
