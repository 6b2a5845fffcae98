// Inline PTX that touches memory and other lanes: loads and stores with hints, vectors, atomics, barriers,
// fences, shuffles, votes, registers of the machine.
#include <cstdio>

__device__ __forceinline__ unsigned lane_id()
{
    unsigned lane;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}

__device__ __forceinline__ int load_streaming(const int* p)
{
    int v;
    asm volatile("ld.global.cs.s32 %0, [%1];" : "=r"(v) : "l"(p));
    return v;
}

__global__ void k(int* data, int* out, unsigned* sum)
{
    __shared__ int turned[64];
    int i = threadIdx.x;
    int4 quad;
    asm("ld.global.nc.v4.u32 {%0, %1, %2, %3}, [%4];"
        : "=r"(quad.x), "=r"(quad.y), "=r"(quad.z), "=r"(quad.w) : "l"(data + i / 4 * 4));
    int own = i % 4 == 0 ? quad.x : i % 4 == 1 ? quad.y : i % 4 == 2 ? quad.z : quad.w;
    int next;
    asm volatile("ld.global.ca.s32 %0, [%1+4];" : "=r"(next) : "l"(data + i));
    turned[63 - i] = own + next - load_streaming(data + i);
    asm volatile("bar.sync 0;" ::: "memory");
    int value = turned[i], moved, lane = lane_id();
    asm volatile("shfl.sync.down.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=r"(moved) : "r"(value), "r"(1));
    unsigned ballot;
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xffffffff; }"
                 : "=r"(ballot) : "r"(value & 1));
    unsigned below;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
    unsigned total;
    asm volatile("redux.sync.add.s32 %0, %1, %2;" : "=r"(total) : "r"(value), "r"(0xffffffff));
    if (lane == 0) asm volatile("red.global.add.u32 [%0], %1;" :: "l"(sum), "r"(total) : "memory");
    unsigned old;
    asm volatile("atom.global.gpu.max.u32 %0, [%1+4], %2;" : "=r"(old) : "l"(sum), "r"(i + (int)blockIdx.x));
    asm volatile("membar.gl;");
    asm volatile("{ .reg .pred p; setp.eq.s32 p, %2, 5; @p st.global.v2.b32 [%0], {%1, %1}; }"
                 :: "l"(out + 64), "r"(4242), "r"(i) : "memory");
    asm volatile("prefetch.global.L2 [%0];" :: "l"(data));
    asm volatile("st.global.wt.s32 [%0], %1;" :: "l"(out + i),
                 "r"(lane == 31 ? value : moved - value + __popc(ballot & below)) : "memory");
}

int main()
{
    int *data, *out;
    unsigned* sum;
    cudaMallocManaged(&data, 65 * sizeof(int));
    cudaMallocManaged(&out, 66 * sizeof(int));
    cudaMallocManaged(&sum, 2 * sizeof(unsigned));
    for (int i = 0; i < 65; i++) data[i] = i * i;
    sum[0] = sum[1] = 0;
    k<<<1, 64>>>(data, out, sum);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int i = 0; i < 64; i++) {
        auto value = [&](int t) { return (64 - t) * (64 - t); };
        int odd = 0;
        for (int t = i / 32 * 32; t < i; t++) odd += value(t) & 1;
        int expected = i % 32 == 31 ? value(i) : value(i + 1) - value(i) + odd;
        if (out[i] != expected) wrong++;
    }
    printf("%d wrong, %u %u, %d %d\n", wrong, sum[0], sum[1], out[64], out[65]);
    cudaFree(data);
    cudaFree(out);
    cudaFree(sum);
    return wrong;
}
