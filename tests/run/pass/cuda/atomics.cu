// Every atomic operation, in global and shared memory, with what it returns.
#include <stdio.h>

struct Results {
    int add, sub, exch, min, max, inc, dec, cas;
    unsigned bit_and, bit_or, bit_xor, umax;
    float fadd;
    double dadd;
    unsigned long long ladd, lmax;
    int olds[2];
};

__global__ void all(Results *r) {
    int t = threadIdx.x;
    atomicAdd(&r->add, t);
    atomicSub(&r->sub, 2);
    atomicMin(&r->min, 50 - t);
    atomicMax(&r->max, t * 3);
    atomicInc((unsigned *)&r->inc, 9);
    atomicDec((unsigned *)&r->dec, 9);
    atomicAnd(&r->bit_and, ~(1u << (t % 32)));
    atomicOr(&r->bit_or, 1u << (t % 8));
    atomicXor(&r->bit_xor, 1u << (t % 3));
    atomicMax(&r->umax, (unsigned)-t);
    atomicAdd(&r->fadd, 0.5f);
    atomicAdd(&r->dadd, 0.25);
    atomicAdd(&r->ladd, 1ull << 33);
    atomicMax(&r->lmax, (unsigned long long)t << 40);
    atomicAdd_block(&r->olds[blockIdx.x], 1); // the other block's counter is not touched
    atomicAdd_system(&r->olds[blockIdx.x], 1);
    int old = *(volatile int *)&r->cas, assumed;
    do {
        assumed = old;
        old = atomicCAS(&r->cas, assumed, assumed * 3 % 1000003 + 1);
    } while (assumed != old);
}

__global__ void shared_ones(int *out) {
    __shared__ int n, seen[64];
    __shared__ unsigned long long wide;
    if (threadIdx.x == 0) n = 0, wide = 0;
    seen[threadIdx.x] = 0;
    __syncthreads();
    int ticket = atomicAdd(&n, 1);
    seen[ticket] = 1;
    atomicAdd(&wide, 1000000000000ull);
    __syncthreads();
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int i = 0; i < 64; ++i) sum += seen[i];
        out[0] = sum;
        out[1] = n;
        out[2] = (int)(wide / 1000000000000ull);
        out[3] = atomicExch(&n, 5) + n;
    }
}

int main() {
    Results host = {}, *dev;
    host.min = 100;
    host.bit_and = 0xffffffffu;
    cudaMalloc(&dev, sizeof host);
    cudaMemcpy(dev, &host, sizeof host, cudaMemcpyHostToDevice);
    all<<<2, 16>>>(dev);
    cudaMemcpy(&host, dev, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d %d %d\n", host.add, host.sub, host.min, host.max, host.inc, host.dec);
    printf("%x %x %x %x\n", host.bit_and, host.bit_or, host.bit_xor, host.umax);
    printf("%g %g %llu %llu %d\n", host.fadd, host.dadd, host.ladd >> 33, host.lmax >> 40, host.olds[0] + host.olds[1]);
    int cas = 0;
    for (int i = 0; i < 32; ++i) cas = cas * 3 % 1000003 + 1;
    printf("%d\n", host.cas == cas);
    int *out, numbers[4];
    cudaMalloc(&out, sizeof numbers);
    shared_ones<<<1, 64>>>(out);
    cudaMemcpy(numbers, out, sizeof numbers, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d\n", numbers[0], numbers[1], numbers[2], numbers[3]);
    cudaFree(dev);
    cudaFree(out);
    return 0;
}
