// A `__grid_constant__` parameter of a class type is the launch's own memory: one address for all threads, in the
// global window (PTX ISA, isspacep), and known to `__isGridConstant`. Other parameters are variables of their thread.
#include <cstdio>

struct Table {
    int first;
    int values[40];
};

struct Pair {
    double a, b;
};

__device__ const int* shared_by_all;

__device__ __noinline__ int at(const int* values, int n) { return values[n]; }

__device__ void where(const char* name, const void* p) {
    printf("%-8s grid constant %d global %d constant %d local %d shared %d\n", name, __isGridConstant(p) != 0,
           __isGlobal(p) != 0, __isConstant(p) != 0, __isLocal(p) != 0, __isShared(p) != 0);
}

__constant__ int constant_word = 7;
__device__ int global_word = 5;

__global__ void kernel(const __grid_constant__ Table table, Table copy, int* sum, int* same,
                       __grid_constant__ const Pair pair) {
    int i = threadIdx.x;
    // A copy may be written; the parameter's memory is read by index through a pointer.
    copy.values[i] += 1;
    if (blockIdx.x == 0 && i == 0) {
        shared_by_all = table.values;
    }
    __syncthreads();
    atomicAdd(sum, at(table.values, i) + at(copy.values, i));
    if (blockIdx.x == 0) {
        atomicAdd(same, shared_by_all == &table.values[0]);
    }
    if (blockIdx.x == 0 && i == 0) {
        int local_word = 0;
        __shared__ int shared_word;
        where("table", &table);
        where("inside", &table.values[39]);
        where("pair", &pair.b);
        where("copy", &copy);
        where("global", &global_word);
        where("constant", &constant_word);
        where("local", &local_word);
        where("shared", &shared_word);
    }
}

template <typename T> __global__ void templated(const __grid_constant__ T value, double* out) {
    *out = value.a * value.b + (__isGridConstant(&value) != 0);
}

__global__ void from_device(double* out, Pair p) {
    p.a += 1;
    templated<<<1, 1>>>(p, out);
}

int main() {
    Table table = {};
    for (int i = 0; i < 40; i++) table.values[i] = i * i;
    int* results;
    cudaMalloc(&results, 2 * sizeof(int));
    cudaMemset(results, 0, 2 * sizeof(int));
    kernel<<<3, 40>>>(table, table, results, results + 1, Pair{1, 2});
    // What the host does to its own object after the launch changes nothing.
    table.values[1] = 1000;
    int host[2];
    cudaMemcpy(host, results, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %d\n", host[0], host[1]);

    double* product;
    cudaMalloc(&product, 2 * sizeof(double));
    templated<<<1, 1>>>(Pair{3, 4}, product);
    from_device<<<1, 1>>>(product + 1, Pair{4, 5});
    double products[2];
    cudaMemcpy(products, product, sizeof products, cudaMemcpyDeviceToHost);
    printf("%g %g\n", products[0], products[1]);
    cudaFree(results);
    cudaFree(product);
}
