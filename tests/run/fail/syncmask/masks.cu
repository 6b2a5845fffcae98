// Masks that omit who calls, name lanes that do not take part, widths that are none.
// revisions: omits stray width exited fine
__global__ void k(int* out, int n) {
    int t = threadIdx.x;
    int v = 0;
#if defined(REV_omits)
    if (t >= 16) v = __shfl_sync(0x0000ffff, t, 20); //[omits]~ ERROR sync-mask: omits lanes that execute it
#elif defined(REV_stray)
    if (t < 16) v = __shfl_sync(0x0000ffff, t, 20); //[stray]~ ERROR sync-mask: reads from a lane that does not take part
#elif defined(REV_width)
    v = __shfl_sync(0xffffffff, t, 0, 7); //[width]~ ERROR undefined-behavior: with a width of 7
#elif defined(REV_exited)
    if (t >= n) return;
    v = __any_sync(0xffffffff, t == 3); //[exited]~ WARNING sync-mask: names lanes that have exited
#else
    v = __shfl_up_sync(0xffffffff, t, 1) + __shfl_xor_sync(0xffffffff, t, 1) + __shfl_sync(0xffffffff, t, 3, 8);
    v += __shfl_down_sync(0xffffffff, t, 31) + __shfl_sync(0xffffffff, t, t + 40);
    // Each half in its own way, then all: `__syncwarp` meets from different places.
    if (t < 16)
        __syncwarp(0x0000ffff);
    else
        __syncwarp(0xffff0000);
    if (t < 16) {
        v += __any_sync(0x0000ffff, t == 3);
        __syncwarp();
    } else {
        __syncwarp();
    }
    // Lanes that have exited are not waited for.
    if (t >= n) return;
    __syncwarp();
    v += __any_sync(__activemask(), 1);
#endif
    out[t] = v;
}

int main() {
    int* d;
    cudaMalloc(&d, 32 * sizeof(int));
    k<<<1, 32>>>(d, 24);
    cudaDeviceSynchronize();
    cudaFree(d);
    return 0;
}
