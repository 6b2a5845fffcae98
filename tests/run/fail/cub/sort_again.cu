// Sorts of a block that use storage again without a barrier.
// revisions: keys striped pairs merge other with
// std: c++14
#include <cstdio>
#include <cub/cub.cuh>

struct Less {
    __device__ bool operator()(int a, int b) const { return a < b; }
};

__global__ void sort(int *out) {
    const int t = threadIdx.x;
    typedef cub::BlockReduce<int, 64> Reduce;
#ifdef REV_pairs
    typedef cub::BlockRadixSort<int, 64, 2, int> Sort;
#elif defined REV_merge
    typedef cub::BlockMergeSort<int, 64, 2> Sort;
#else
    typedef cub::BlockRadixSort<int, 64, 2> Sort;
#endif
    __shared__ union {
        Sort::TempStorage sort;
        Reduce::TempStorage reduce;
    } s;
    int a[2] = {63 - t, t};
#ifdef REV_pairs
    int b[2] = {t, t};
    Sort(s.sort).Sort(a, b); //[pairs]~ ERROR shared-race
    Sort(s.sort).Sort(b, a); //[pairs]~ RELATED shared-race
#elif defined REV_merge
    Sort(s.sort).Sort(a, Less()); //[merge]~ ERROR shared-race
    Sort(s.sort).Sort(a, Less()); //[merge]~ RELATED shared-race
#elif defined REV_striped
    Sort(s.sort).SortBlockedToStriped(a); //[striped]~ ERROR shared-race
    Sort(s.sort).Sort(a); //[striped]~ RELATED shared-race
#elif defined REV_other
    Sort(s.sort).Sort(a); //[other]~ ERROR shared-race
    a[0] += Reduce(s.reduce).Sum(a[1]); //[other]~ RELATED shared-race
#else
    Sort(s.sort).Sort(a); //[keys]~ ERROR shared-race
#ifdef REV_with
    __syncthreads();
#endif
    Sort(s.sort).SortDescending(a); //[keys]~ RELATED shared-race
#endif
    out[t] = a[0];
}

int main() {
    int *d, h[64];
    cudaMalloc(&d, sizeof h);
    sort<<<1, 64>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[0], h[63]);
    cudaFree(d);
}
