// Lanes that order or subtract pointers into different objects; into one object, or compared for equality, they are fine.
// revisions: ordered subtracted members fine
#include <stdio.h>

struct Range {
    const int *begin, *end;
};

__global__ void count(const int *a, const int *b, int n, int *out) {
    int t = threadIdx.x;
    const int *p = t % 3 ? a + t : b + t;
#if defined(REV_ordered)
    out[t] = p < a + n; //[ordered]~ ERROR undefined-behavior: ordering
#elif defined(REV_subtracted)
    out[t] = (int)(p - a); //[subtracted]~ ERROR undefined-behavior: difference
#elif defined(REV_members)
    Range r = {p, a + n};
    int sum = 0;
    for (const int *q = r.begin; q < r.end; q++) //[members]~ ERROR undefined-behavior: ordering
        sum += *q;
    out[t] = sum;
#else
    const int *start = t % 3 ? a : b;
    out[t] = (int)(p - start) + (p < start + n) + (p == a + t) + (p <= start + n);
    const Range r = {start + t, start + n};
    for (const int *q = r.begin; q < r.end; q++)
        out[t] += *q;
#endif
}

int main() {
    int *a, *b, *out, h[32];
    cudaMalloc(&a, sizeof(h));
    cudaMalloc(&b, sizeof(h));
    cudaMalloc(&out, sizeof(h));
    cudaMemset(a, 0, sizeof(h));
    cudaMemset(b, 0, sizeof(h));
    count<<<1, 32>>>(a, b, 32, out);
    if (cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost) == cudaSuccess) {
#ifdef REV_fine
        for (int i = 0; i < 6; i++)
            printf("%d ", h[i]);
        printf("\n");
#endif
    }
    cudaFree(a);
    cudaFree(b);
    cudaFree(out);
    return 0;
}
