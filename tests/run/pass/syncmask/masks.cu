// Masks that name exactly who takes part, whatever they are made of.
#include <cstdio>

__global__ void ballot(int *out) {
    int t = threadIdx.x;
    unsigned who = __ballot_sync(~0u, t % 3 == 1);
    out[t] = -1;
    if (t % 3 == 1) {
        int first = __shfl_sync(who, t, __ffs(who) - 1);
        int next = who & (~1u << t);
        int other = __shfl_sync(who, t, next ? __ffs(next) - 1 : t);
        out[t] = __popc(who) * 10000 + __reduce_add_sync(who, t) * 10 + first + other;
    }
}

__global__ void rest(const int *in, int *out, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned who = __ballot_sync(~0u, t < n);
    if (t < n) {
        int sum = in[t];
        int last = __popc(who) - 1;
        sum += __shfl_sync(who, in[t], last);
        out[t] = sum;
    }
}

// The block's last warp has 8 lanes, and names no more.
__global__ void short_warp(int *out) {
    int t = threadIdx.x, left = min(32, (int)blockDim.x - t / 32 * 32);
    unsigned who = left == 32 ? ~0u : (1u << left) - 1;
    out[t] = __shfl_down_sync(who, t, 1, 8) + __any_sync(who, t == 39);
}

// Two halves of a warp go their ways, each with its own mask, and meet again.
__global__ void halves(int *out) {
    int t = threadIdx.x;
    __shared__ int s[32];
    s[t] = t;
    if (t < 16) {
        __syncwarp(0xffff);
        int other = s[15 - t];
        __syncwarp(0xffff);
        s[t] += other * 0;
        out[t] = __shfl_sync(0xffff, s[t], 3);
    } else {
        out[t] = __all_sync(0xffff0000, t > 15) + __shfl_up_sync(0xffff0000, t, 1, 16);
    }
    __syncwarp();
    out[t] += s[31 - t];
}

// Lanes that have left the loop are not named any more.
__global__ void shrinking(int *out) {
    int t = threadIdx.x, n = 0;
    unsigned who = ~0u;
    while (true) {
        bool stays = n < t / 4;
        who = __ballot_sync(who, stays);
        if (!stays) break;
        n += 1 + 0 * __popc(who);
    }
    out[t] = n;
}

int main() {
    int *in, *out;
    cudaMallocManaged(&in, 64 * sizeof(int));
    cudaMallocManaged(&out, 64 * sizeof(int));
    for (int i = 0; i < 64; i++) in[i] = i;
    ballot<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    printf("%d %d\n", out[0], out[4]);
    rest<<<2, 32>>>(in, out, 45);
    cudaDeviceSynchronize();
    printf("%d %d\n", out[5], out[40]);
    short_warp<<<1, 40>>>(out);
    cudaDeviceSynchronize();
    printf("%d %d %d\n", out[0], out[32], out[39]);
    halves<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    printf("%d %d\n", out[2], out[20]);
    shrinking<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    printf("%d %d\n", out[3], out[31]);
    cudaFree(in);
    cudaFree(out);
}
