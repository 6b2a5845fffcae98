// A byte that was never written is an error where it is used. A value that is loaded early and used on one of the ways
// behind counts for the threads that take that way: an arm of a branch, a selection, a loop that turns, a loop's first
// turn alone, a call, a value of each width, a local variable, the host.
// revisions: arm select turns once call wide narrow pair local again host recursion
#include <cstdio>

__device__ __noinline__ int twice(int v) { return 2 * v; }

__device__ __noinline__ int down(const int *d, int n, int flag) {
    int v = d[n]; //[recursion]~ ERROR uninitialized-read
    int below = n > 0 ? down(d, n - 1, flag) : 0;
    if (n == flag) return v + below;
    return below;
}

__global__ void k(const int *flag, const int *d, int *out) {
    int i = threadIdx.x, r = 0;
#if defined(REV_arm)
    int v = d[i]; //[arm]~ ERROR uninitialized-read
    if (flag[i] == 5) r = v * 3;
#elif defined(REV_select)
    int v = d[i]; //[select]~ ERROR uninitialized-read
    r = flag[i] > 29 ? v : 7;
#elif defined(REV_turns)
    int v = d[i]; //[turns]~ ERROR uninitialized-read
    for (int n = 0; n < flag[i]; n++) r += v;
#elif defined(REV_once)
    int v = d[i]; //[once]~ ERROR uninitialized-read
    for (int n = 0; n < 4; n++) {
        if (n == 2 && flag[i] == 31) r += v;
    }
#elif defined(REV_call)
    int v = d[i]; //[call]~ ERROR uninitialized-read
    if (flag[i] == 0) r = twice(v);
#elif defined(REV_wide)
    double v = ((const double *)d)[i]; //[wide]~ ERROR uninitialized-read
    if (flag[i] == 9) r = (int)(v + 1.0);
#elif defined(REV_narrow)
    signed char v = ((const signed char *)d)[i]; //[narrow]~ ERROR uninitialized-read
    if (flag[i] == 9) r = v + 1;
#elif defined(REV_pair)
    // A copy brings what is not written along.
    int2 v = ((const int2 *)d)[i]; //[pair]~ RELATED uninitialized-read
    if (flag[i] == 9) r = v.y; //[pair]~ ERROR uninitialized-read
#elif defined(REV_local)
    int list[8];
    list[flag[i] & 3] = 1;
    int v = list[4 + (i & 3)]; //[local]~ ERROR uninitialized-read
    if (flag[i] == 9) r = v + 1;
#elif defined(REV_again)
    // What a lane loaded in the turn before is no matter any more; what it loads in the last turn is.
    for (int n = 0; n < 3; n++) {
        int v = n < 2 ? flag[i] : d[i]; //[again]~ ERROR uninitialized-read
        if (n == 2 && i == 1) r += v + 1;
    }
#elif defined(REV_recursion)
    r = down(d, 5, flag[3]);
#endif
    out[i] = r;
}

int main() {
    int flags[32], *flag, *d, *out, h[32];
    for (int i = 0; i < 32; i++) flags[i] = i;
    cudaMalloc(&flag, sizeof flags);
    cudaMalloc(&d, 1024);
    cudaMalloc(&out, sizeof h);
    cudaMemcpy(flag, flags, sizeof flags, cudaMemcpyHostToDevice);
    k<<<1, 32>>>(flag, d, out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
#ifdef REV_host
    int *heap = (int *)malloc(8);
    int v = heap[1]; //[host]~ ERROR uninitialized-read
    if (h[0] == 0) printf("%d\n", v + 1);
    free(heap);
#endif
    cudaFree(flag);
    cudaFree(d);
    cudaFree(out);
}
