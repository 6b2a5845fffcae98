// Registers whose names begin with `%`, as those of the machine do, declared by the text itself.
#include <cstdio>

__global__ void k(int *out)
{
    int lane, r, sum;
    asm volatile("{\n"
                 " .reg .pred %%p, %%q;\n"
                 " setp.ne.s32 %%p, %1, 0;\n"
                 " not.pred %%q, %%p;\n"
                 " selp.s32 %0, 10, 20, %%p;\n"
                 " @%%q add.s32 %0, %0, 1;\n"
                 " @!%%q add.s32 %0, %0, 2;\n"
                 "}\n"
                 : "=r"(r)
                 : "r"((int)threadIdx.x));
    // Numbered ones, one that hides no register of the machine, and the machine's own beside them.
    asm volatile("{\n"
                 " .reg .b32 %%r<3>, p;\n"
                 " mov.u32 %%r0, %%laneid;\n"
                 " add.u32 %%r1, %%r0, 100;\n"
                 " mov.b32 p, 1000;\n"
                 " add.u32 %%r2, %%r1, p;\n"
                 " mov.u32 %0, %%r2;\n"
                 " mov.u32 %1, %%tid.x;\n"
                 "}\n"
                 : "=r"(sum), "=r"(lane));
    out[threadIdx.x] = r + sum * 100 + lane * 1000000;
}

int main()
{
    int *d, h[32];
    cudaMalloc(&d, sizeof h);
    k<<<1, 32>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    std::printf("%d %d\n", h[0], h[5]);
    cudaFree(d);
}
