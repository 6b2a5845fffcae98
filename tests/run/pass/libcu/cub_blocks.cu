// Reductions and scans of CUB: warps, blocks, the device; partial blocks, several inputs, prefixes of the caller's.
// std: c++14
#include <cstdio>
#include <cub/cub.cuh>

struct Pair {
    int key;
    double value;
};
struct Best {
    __host__ __device__ Pair operator()(const Pair &a, const Pair &b) const { return b.value > a.value ? b : a; }
};

__global__ void block_sum(const int *in, int n, int *out) {
    typedef cub::BlockReduce<int, 128> Reduce;
    __shared__ typename Reduce::TempStorage storage;
    int i = blockIdx.x * 128 + threadIdx.x;
    int sum = Reduce(storage).Sum(i < n ? in[i] : 0);
    __syncthreads();
    int most = Reduce(storage).Reduce(i < n ? in[i] : -1, cub::Max());
    if (threadIdx.x == 0) {
        atomicAdd(&out[0], sum);
        atomicMax(&out[1], most);
    }
}

__global__ void odd_block(int *out, int valid) {
    typedef cub::BlockReduce<int, 10, cub::BLOCK_REDUCE_WARP_REDUCTIONS, 5> Reduce;
    __shared__ typename Reduce::TempStorage storage;
    int tid = threadIdx.y * 10 + threadIdx.x;
    int all = Reduce(storage).Sum(tid);
    __syncthreads();
    int some = Reduce(storage).Sum(tid, valid);
    int items[3] = {tid, 1, 2};
    __syncthreads();
    int three = Reduce(storage).Sum(items);
    if (tid == 0) {
        out[0] = all;
        out[1] = some;
        out[2] = three;
    }
}

__global__ void best(const Pair *in, Pair *out) {
    typedef cub::BlockReduce<Pair, 64> Reduce;
    __shared__ typename Reduce::TempStorage storage;
    Pair found = Reduce(storage).Reduce(in[threadIdx.x], Best());
    if (threadIdx.x == 0) *out = found;
}

__global__ void warps(int *out) {
    typedef cub::WarpReduce<int> Whole;
    typedef cub::WarpReduce<float, 8> Part;
    typedef cub::WarpScan<int> Scan;
    __shared__ typename Whole::TempStorage a[2];
    __shared__ typename Part::TempStorage b[8];
    __shared__ typename Scan::TempStorage c[2];
    int tid = threadIdx.x, w = tid / 32;
    int sum = Whole(a[w]).Sum(tid);
    float part = Part(b[tid / 8]).Reduce(tid + 0.5f, cub::Max());
    int few = Whole(a[w]).Sum(1, 20);
    int inclusive, exclusive, all;
    Scan(c[w]).InclusiveSum(tid, inclusive);
    Scan(c[w]).ExclusiveSum(1, exclusive, all);
    if (tid % 32 == 0) {
        out[w] = sum;
        out[2 + w] = few;
    }
    if (tid % 8 == 0) out[4 + tid / 8] = int(part * 2);
    if (tid == 40) {
        out[12] = inclusive;
        out[13] = exclusive;
        out[14] = all;
    }
}

struct Running {
    int total;
    __device__ int operator()(int aggregate) {
        int before = total;
        total += aggregate;
        return before;
    }
};

__global__ void scans(int *data, int n, int *totals) {
    typedef cub::BlockLoad<int, 64, 4, cub::BLOCK_LOAD_TRANSPOSE> Load;
    typedef cub::BlockStore<int, 64, 4, cub::BLOCK_STORE_TRANSPOSE> Store;
    typedef cub::BlockScan<int, 64> Scan;
    __shared__ union {
        typename Load::TempStorage load;
        typename Store::TempStorage store;
        typename Scan::TempStorage scan;
    } shared;
    int items[4], total;
    Load(shared.load).Load(data, items, n, 0);
    __syncthreads();
    Scan(shared.scan).ExclusiveSum(items, items, total);
    __syncthreads();
    Store(shared.store).Store(data, items, n);
    __syncthreads();
    if (threadIdx.x == 0) totals[0] = total;
    Running running{1000};
    for (int round = 0; round < 2; round++) {
        int out;
        Scan(shared.scan).ExclusiveSum(1, out, running);
        __syncthreads();
        if (threadIdx.x == 63) totals[1 + round] = out;
    }
    int up, all;
    Scan(shared.scan).InclusiveScan(int(threadIdx.x % 7), up, cub::Max(), all);
    if (threadIdx.x == 3) {
        totals[3] = up;
        totals[4] = all;
    }
}

int main() {
    const int n = 1000;
    int host[n], *d, *out, result[16] = {};
    for (int i = 0; i < n; i++) host[i] = i % 37;
    cudaMalloc(&d, n * sizeof(int));
    cudaMalloc(&out, 16 * sizeof(int));
    cudaMemcpy(d, host, n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(out, 0, 16 * sizeof(int));
    block_sum<<<(n + 127) / 128, 128>>>(d, n, out);
    cudaMemcpy(result, out, 8, cudaMemcpyDeviceToHost);
    int sum = 0;
    for (int x : host) sum += x;
    printf("%d %d %d\n", result[0] == sum, result[0], result[1]);
    odd_block<<<1, dim3(10, 5)>>>(out, 35);
    cudaMemcpy(result, out, 12, cudaMemcpyDeviceToHost);
    printf("%d %d %d\n", result[0], result[1], result[2]);
    Pair pairs[64], *p, found;
    for (int i = 0; i < 64; i++) pairs[i] = {i, double(i * 29 % 64)};
    cudaMalloc(&p, 65 * sizeof(Pair));
    cudaMemcpy(p, pairs, sizeof pairs, cudaMemcpyHostToDevice);
    best<<<1, 64>>>(p, p + 64);
    cudaMemcpy(&found, p + 64, sizeof found, cudaMemcpyDeviceToHost);
    printf("%d %g\n", found.key, found.value);
    warps<<<1, 64>>>(out);
    cudaMemcpy(result, out, 60, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 15; i++) printf("%d ", result[i]);
    printf("\n");
    scans<<<1, 64>>>(d, 250, out);
    cudaMemcpy(result, out, 20, cudaMemcpyDeviceToHost);
    int at249;
    cudaMemcpy(&at249, d + 249, sizeof(int), cudaMemcpyDeviceToHost);
    int before = 0, all = 0;
    for (int i = 0; i < 250; i++) {
        if (i < 249) before += host[i];
        all += host[i];
    }
    printf("%d %d %d %d %d %d\n", at249 == before, result[0] == all, result[1], result[2], result[3], result[4]);
    cudaMemcpy(d, host, n * sizeof(int), cudaMemcpyHostToDevice);
    void *temp = nullptr;
    size_t bytes = 0;
    cub::DeviceReduce::Sum(temp, bytes, d, out, n);
    cudaMalloc(&temp, bytes);
    cub::DeviceReduce::Sum(temp, bytes, d, out, n);
    cub::DeviceReduce::Max(temp, bytes, d, out + 1, n);
    cub::DeviceReduce::Min(temp, bytes, d + 1, out + 2, 30);
    // Each algorithm has a size of its own.
    cudaFree(temp);
    temp = nullptr;
    cub::DeviceScan::InclusiveSum(temp, bytes, d, d, n);
    cudaMalloc(&temp, bytes);
    cub::DeviceScan::InclusiveSum(temp, bytes, d, d, n);
    cudaMemcpy(result, out, 12, cudaMemcpyDeviceToHost);
    int last;
    cudaMemcpy(&last, d + n - 1, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d %d %d %d\n", result[0] == sum, result[1], result[2], last == sum);
    cudaFree(temp);
    cudaFree(p);
    cudaFree(out);
    cudaFree(d);
    return 0;
}
