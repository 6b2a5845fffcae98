// Members of structs: the report gives the variable's whole size and the member's offset. Padding is copied silently.
// revisions: written member host
#include <cstdio>

struct Pair {
    char tag;
    int value;
    short extra;
};

__global__ void k(int* out, Pair* all) {
    int t = threadIdx.x;
    Pair p;
    p.tag = 1;
    p.value = t;
#ifndef REV_member
    p.extra = 3;
#endif
    all[t] = p;
    Pair q = all[t]; //[member]~ ERROR uninitialized-read: use of 2 bytes
    out[t] = q.value + q.tag;
    if (q.extra > 2) out[t]++;
}

int main() {
    int* d;
    Pair* all;
    cudaMalloc(&d, 32 * sizeof(int));
    cudaMalloc(&all, 32 * sizeof(Pair));
    k<<<1, 32>>>(d, all);
    cudaDeviceSynchronize();
    Pair here, there;
    here.tag = 1;
    here.value = 5;
#ifdef REV_host
    if (here.extra) printf("extra\n"); //[host]~ ERROR uninitialized-read: `here` (12 bytes) that were never written
#endif
    there = here;
    printf("%d\n", there.value);
    cudaFree(all);
    cudaFree(d);
    return 0;
}
