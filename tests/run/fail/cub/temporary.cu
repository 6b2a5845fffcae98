// Temporary memory that is too small, the host's, freed, or in use by another stream: the algorithms write there.
// revisions: reduce scan by_key select histogram runs segments host freed streams reduces right
// std: c++14
#include <cstdio>
#include <cub/cub.cuh>

struct Odd {
    __host__ __device__ bool operator()(int x) const { return x & 1; }
};

constexpr int n = 1000;
int *in, *out, *count, *more;

cudaError_t run(void *temp, size_t &bytes, cudaStream_t stream, int *to) {
#if defined REV_reduce || defined REV_reduces
    return cub::DeviceReduce::Sum(temp, bytes, in, to, n, stream);
    //[reduces]~^ ERROR global-race
#elif defined REV_by_key
    return cub::DeviceReduce::ReduceByKey(temp, bytes, in, to, in, to + n, count, cub::Sum(), n, stream); //[by_key]~ ERROR out-of-bounds
#elif defined REV_select
    return cub::DeviceSelect::If(temp, bytes, in, to, count, n, Odd(), stream); //[select]~ ERROR out-of-bounds
#elif defined REV_histogram
    return cub::DeviceHistogram::HistogramEven(temp, bytes, in, to, 11, 0, 1000, n, stream); //[histogram]~ ERROR out-of-bounds
#elif defined REV_runs
    return cub::DeviceRunLengthEncode::Encode(temp, bytes, in, to, to + n, count, n, stream); //[runs]~ ERROR out-of-bounds
#elif defined REV_segments
    return cub::DeviceSegmentedReduce::Sum(temp, bytes, in, to, 2, more, more + 1, stream); //[segments]~ ERROR use-after-free
#else
    return cub::DeviceScan::InclusiveSum(temp, bytes, in, to, n, stream);
    //[scan]~^ ERROR out-of-bounds
    //[host]~^^ ERROR wrong-memory-space
    //[freed]~^^^ ERROR use-after-free
    //[streams]~^^^^ ERROR global-race
#endif
}

int main() {
    cudaStream_t s, t;
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    cudaMalloc(&in, n * sizeof(int));
    cudaMalloc(&out, 4 * n * sizeof(int));
    cudaMalloc(&count, sizeof(int));
    cudaMallocManaged(&more, 3 * sizeof(int));
    more[0] = 0, more[1] = 500, more[2] = 1000;
    cudaMemset(in, 0, n * sizeof(int));
    cudaDeviceSynchronize();
    void *temp = nullptr;
    size_t bytes = 0;
    run(temp, bytes, s, out);
#if defined REV_host
    temp = malloc(bytes); //[host]~ RELATED wrong-memory-space
#elif defined REV_freed || defined REV_segments
    cudaMalloc(&temp, bytes); //[freed,segments]~ RELATED use-after-free
    cudaFree(temp); //[freed,segments]~ RELATED use-after-free
#elif defined REV_right || defined REV_streams || defined REV_reduce || defined REV_reduces
    cudaMalloc(&temp, bytes);
#else
    cudaMalloc(&temp, bytes - 1);
#endif
    run(temp, bytes, s, out);
#ifdef REV_right
    cudaStreamSynchronize(s);
#endif
#if defined REV_right || defined REV_streams || defined REV_reduces
    run(temp, bytes, t, out + 2 * n);
#endif
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
#ifdef REV_host
    free(temp);
#endif
#if defined REV_right || defined REV_streams || defined REV_reduces || defined REV_reduce
    cudaFree(temp);
    cudaFree(in);
    cudaFree(out);
    cudaFree(count);
    cudaFree(more);
#endif
}
