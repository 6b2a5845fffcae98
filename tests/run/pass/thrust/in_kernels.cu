// Algorithms in device code are loops of the thread that calls them.
// std: c++14
#include <thrust/binary_search.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/find.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/unique.h>

#include <cstdio>

struct Descending {
    __device__ bool operator()(int a, int b) const { return a > b; }
};

__global__ void rows(int* values, int n, int* sums, int* first) {
    const int row = threadIdx.x;
    int* mine = values + row * n;
    if (row % 2 == 0)
        thrust::sort(thrust::seq, mine, mine + n);
    else
        thrust::sort(thrust::device, thrust::device_ptr<int>(mine), thrust::device_ptr<int>(mine + n), Descending());
    sums[row] = thrust::reduce(thrust::seq, mine, mine + n);
    first[row] = static_cast<int>(thrust::find(thrust::seq, mine, mine + n, 7) - mine);
    thrust::transform(thrust::seq, mine, mine + n, mine, thrust::negate<int>());
    thrust::inclusive_scan(thrust::device, mine, mine + n, mine);
}

// One that runs on both sides.
__host__ __device__ int kinds(int* values, int n) {
    thrust::stable_sort(thrust::seq, values, values + n, thrust::less<int>());
    return static_cast<int>(thrust::unique(thrust::seq, values, values + n) - values);
}
__global__ void count_kinds(int* values, int n, int* out) { *out = kinds(values, n); }

int main() {
    const int n = 40, threads = 4;
    thrust::host_vector<int> h(n * threads);
    unsigned x = 5;
    for (int& v : h) {
        x = x * 1664525u + 1013904223u;
        v = static_cast<int>(x >> 8) % 50;
    }
    thrust::device_vector<int> d(h), sums(threads), first(threads);
    rows<<<1, threads>>>(thrust::raw_pointer_cast(d.data()), n, thrust::raw_pointer_cast(sums.data()), thrust::raw_pointer_cast(first.data()));
    thrust::host_vector<int> out(d);
    for (int row = 0; row < threads; row++)
        printf("%d %d %d %d\n", static_cast<int>(sums[row]), out[row * n], out[row * n + 20], out[row * n + n - 1]);
    d = h;
    count_kinds<<<1, 1>>>(thrust::raw_pointer_cast(d.data()), n * threads, thrust::raw_pointer_cast(sums.data()));
    printf("%d", static_cast<int>(sums[0]));
    printf(" %d\n", kinds(thrust::raw_pointer_cast(h.data()), n * threads));
    return 0;
}
