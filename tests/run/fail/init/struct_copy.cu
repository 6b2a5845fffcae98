// Copies of a struct that is written in part are fine, with its padding; the use of a member that was not is told where it is used.
// revisions: kernel passed heap host assigned fine
#include <stdio.h>

struct S {
    int a;
    char c; // and three bytes of padding
    int b;
    double d;
};

__device__ int first(S s) { return s.a + s.b; }
__device__ double last(S s) {
    return s.d; //[passed]~ ERROR uninitialized-read: 8 bytes of `s`
}

__global__ void copies(S *out, int *r) {
    int t = threadIdx.x;
    S s;
    s.a = t;
    s.b = 2;
    if (t == 0) s.d = 3;
    S copy = s;
    S again;
    again = copy;
    out[t] = again;
    r[t] = copy.a + first(s);
#if defined(REV_kernel)
    if (t < 8)
        r[t] += copy.d > 2; //[kernel]~ ERROR uninitialized-read: 8 bytes of `copy`
#elif defined(REV_passed)
    r[t] += (int)last(again);
#elif defined(REV_heap)
    S *pair = new S[2];
    pair[0].a = 5;
    pair[1] = pair[0];
    r[t] += pair[1].a;
    r[t] += pair[1].b; //[heap]~ ERROR uninitialized-read: 4 bytes of `pair` (48 bytes from `new[]` in device code)
    delete[] pair;
#else
    if (t == 0) r[t] += copy.d > 2;
#endif
}

int main() {
    S *dev, all[32];
    int *r, sums[32];
    cudaMalloc(&dev, sizeof(all));
    cudaMalloc(&r, sizeof(sums));
    copies<<<1, 32>>>(dev, r);
    cudaMemcpy(all, dev, sizeof(all), cudaMemcpyDeviceToHost);
    cudaMemcpy(sums, r, sizeof(sums), cudaMemcpyDeviceToHost);
    int sum = sums[0] + all[0].a + (all[0].d == 3);
#ifdef REV_host
    if (all[5].d > 1) //[host]~ ERROR uninitialized-read: 8 bytes of `all`
        sum++;
#endif
    S mine;
    mine.a = 4;
    S copy = mine, later;
    later = copy;
    sum += later.a;
#ifdef REV_assigned
    sum += later.b; //[assigned]~ ERROR uninitialized-read: 4 bytes of `mine`
#endif
#ifdef REV_fine
    printf("%d\n", sum);
#endif
    cudaFree(dev);
    cudaFree(r);
    return sum == 1000;
}
