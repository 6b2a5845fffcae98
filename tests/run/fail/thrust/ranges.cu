// What algorithms find wrong is told at the call in the program, and what functors do in them at their line.
// revisions: short output place twice unwritten host right
// std: c++14
#include <thrust/copy.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/reduce.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/transform.h>

#include <cstdio>

struct Add {
    int* table;
    int limit;
    __device__ int operator()(int i) const {
        return table[i < limit ? i : 0]; //[place]~ ERROR out-of-bounds
    }
};

static void run() {
    thrust::device_vector<int> d(100), out(100), map(100);
    thrust::sequence(d.begin(), d.end());
    thrust::sequence(map.begin(), map.end());
#ifdef REV_short
    thrust::device_ptr<int> first = d.data();
    printf("%d\n", thrust::reduce(first, first + 101)); //[short]~ ERROR out-of-bounds
#endif
#ifdef REV_output
    out.resize(50);
    out.shrink_to_fit();
    thrust::transform(d.begin(), d.end(), out.begin(), thrust::negate<int>()); //[output]~ ERROR out-of-bounds
#endif
#ifdef REV_place
    int* table = thrust::raw_pointer_cast(out.data());
    thrust::transform(d.begin(), d.end(), out.begin(), Add{table + 50, 100});
#endif
#ifdef REV_twice
    map[7] = 8;
    thrust::scatter(d.begin(), d.end(), map.begin(), out.begin()); //[twice]~ ERROR global-race
#endif
#ifdef REV_unwritten
    int* raw;
    cudaMalloc(&raw, 100 * sizeof(int));
    thrust::device_ptr<int> p(raw);
    thrust::sequence(p, p + 99);
    thrust::scatter(d.begin(), d.end(), p, out.begin()); //[unwritten]~ ERROR uninitialized-read
    //[unwritten]~^ ERROR global-race
    cudaFree(raw);
#endif
#ifdef REV_host
    int here[10] = {};
    thrust::copy(thrust::device, here, here + 10, out.begin()); //[host]~ ERROR wrong-memory-space
#endif
#ifdef REV_right
    int* table = thrust::raw_pointer_cast(out.data());
    thrust::scatter(d.begin(), d.end(), map.begin(), out.begin());
    thrust::transform(d.begin(), d.end(), d.begin(), Add{table + 50, 50});
    printf("%d\n", thrust::reduce(d.data(), d.data() + 100));
#endif
}

int main() {
    try {
        run();
    } catch (const thrust::system_error& e) {
        printf("%s\n", e.what());
    }
    return 0;
}
