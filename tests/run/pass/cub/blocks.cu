// Collectives of blocks and warps against loops of the host.
// std: c++14
#include <cub/block/block_run_length_decode.cuh>
#include <cub/block/block_shuffle.cuh>
#include <cub/cub.cuh>

#include <algorithm>
#include <cstdio>
#include <vector>

static const int THREADS = 64, ITEMS = 4, N = THREADS * ITEMS;

struct Minus {
    __device__ int operator()(int a, int b) const { return a - b; }
};
struct Differ {
    __device__ bool operator()(int a, int b) const { return a != b; }
};
struct Below {
    __device__ bool operator()(int a, int b) const { return a < b; }
};

__global__ void sorts(const int* in, int* out, int* places) {
    typedef cub::BlockRadixSort<int, THREADS, ITEMS, int> Radix;
    typedef cub::BlockMergeSort<int, THREADS, ITEMS> Merge;
    typedef cub::BlockLoad<int, THREADS, ITEMS, cub::BLOCK_LOAD_TRANSPOSE> Load;
    typedef cub::BlockStore<int, THREADS, ITEMS, cub::BLOCK_STORE_WARP_TRANSPOSE> Store;
    __shared__ union {
        typename Radix::TempStorage radix;
        typename Merge::TempStorage merge;
        typename Load::TempStorage load;
        typename Store::TempStorage store;
    } temp;
    int keys[ITEMS], values[ITEMS];
    Load(temp.load).Load(in, keys);
    __syncthreads();
    for (int i = 0; i < ITEMS; i++) values[i] = threadIdx.x * ITEMS + i;
    Radix(temp.radix).SortDescending(keys, values);
    __syncthreads();
    Store(temp.store).Store(out, keys);
    __syncthreads();
    Store(temp.store).Store(places, values);
    __syncthreads();
    Merge(temp.merge).Sort(keys, Below());
    __syncthreads();
    Store(temp.store).Store(out + N, keys);
    for (int i = 0; i < ITEMS; i++) keys[i] = in[threadIdx.x + i * THREADS];
    __syncthreads();
    cub::BlockRadixSort<int, THREADS, ITEMS>(*reinterpret_cast<typename cub::BlockRadixSort<int, THREADS, ITEMS>::TempStorage*>(&temp.radix)).SortBlockedToStriped(keys);
    cub::StoreDirectStriped<THREADS>(threadIdx.x, out + 2 * N, keys);
}

__global__ void exchanges(const int* in, int* out) {
    typedef cub::BlockExchange<int, THREADS, ITEMS> Exchange;
    typedef cub::WarpExchange<int, ITEMS, 16> InWarp;
    __shared__ typename Exchange::TempStorage temp;
    __shared__ typename InWarp::TempStorage warps[THREADS / 16];
    int items[ITEMS], ranks[ITEMS];
    cub::LoadDirectStriped<THREADS>(threadIdx.x, in, items);
    Exchange(temp).StripedToBlocked(items);
    cub::StoreDirectBlocked(threadIdx.x, out, items);
    __syncthreads();
    for (int i = 0; i < ITEMS; i++) ranks[i] = N - 1 - (threadIdx.x * ITEMS + i);
    Exchange(temp).ScatterToStriped(items, ranks);
    cub::StoreDirectStriped<THREADS>(threadIdx.x, out + N, items);
    cub::LoadDirectWarpStriped(threadIdx.x, in, items);
    __syncthreads();
    Exchange(temp).WarpStripedToBlocked(items);
    cub::StoreDirectBlocked(threadIdx.x, out + 2 * N, items);
    cub::LoadDirectBlocked(threadIdx.x, in, items);
    InWarp(warps[threadIdx.x / 16]).BlockedToStriped(items, items);
    for (int i = 0; i < ITEMS; i++) out[3 * N + threadIdx.x / 16 * 16 * ITEMS + threadIdx.x % 16 + i * 16] = items[i];
}

__global__ void neighbours(const int* in, int* out) {
    typedef cub::BlockDiscontinuity<int, THREADS> Discontinuity;
    typedef cub::BlockAdjacentDifference<int, THREADS> Difference;
    typedef cub::BlockShuffle<int, THREADS> Shuffle;
    __shared__ typename Discontinuity::TempStorage heads_temp;
    __shared__ typename Difference::TempStorage difference_temp;
    __shared__ typename Shuffle::TempStorage shuffle_temp;
    int items[ITEMS], heads[ITEMS], tails[ITEMS];
    cub::LoadDirectBlocked(threadIdx.x, in, items);
    Discontinuity(heads_temp).FlagHeadsAndTails(heads, tails, items, Differ());
    for (int i = 0; i < ITEMS; i++) heads[i] += 2 * tails[i];
    cub::StoreDirectBlocked(threadIdx.x, out, heads);
    Difference(difference_temp).SubtractLeft(items, heads, Minus());
    cub::StoreDirectBlocked(threadIdx.x, out + N, heads);
    __syncthreads();
    Difference(difference_temp).SubtractRight(items, heads, Minus(), 5);
    cub::StoreDirectBlocked(threadIdx.x, out + 2 * N, heads);
    int first = -1;
    Shuffle(shuffle_temp).Offset(items[0], first, -1);
    out[3 * N + threadIdx.x] = first;
}

__global__ void histogram(const int* in, int* bins, int* runs) {
    typedef cub::BlockHistogram<int, THREADS, ITEMS, 16, cub::BLOCK_HISTO_ATOMIC> Histogram;
    typedef cub::BlockRunLengthDecode<int, THREADS, 1, 2> Decode;
    __shared__ typename Histogram::TempStorage temp;
    __shared__ typename Decode::TempStorage decode_temp;
    __shared__ int own[16];
    int items[ITEMS];
    cub::LoadDirectBlocked(threadIdx.x, in, items);
    Histogram(temp).Histogram(items, own);
    __syncthreads();
    if (threadIdx.x < 16) bins[threadIdx.x] = own[threadIdx.x];
    int values[1] = {static_cast<int>(threadIdx.x)}, lengths[1] = {static_cast<int>(threadIdx.x % 4)}, total = 0, decoded[2];
    Decode decode(decode_temp, values, lengths, total);
    decode.RunLengthDecode(decoded, 0);
    if (threadIdx.x * 2 + 1 < total) {
        runs[threadIdx.x * 2] = decoded[0];
        runs[threadIdx.x * 2 + 1] = decoded[1];
    }
}

__global__ void warps(const int* in, int* out) {
    typedef cub::WarpReduce<int> Reduce;
    typedef cub::WarpMergeSort<int, 2, 32> Sort;
    __shared__ typename Reduce::TempStorage temp[2];
    __shared__ typename Sort::TempStorage sort_temp[2];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int sum = Reduce(temp[warp]).HeadSegmentedSum(in[threadIdx.x], lane % 5 == 0);
    out[threadIdx.x] = lane % 5 == 0 ? sum : 0;
    int keys[2] = {in[threadIdx.x * 2], in[threadIdx.x * 2 + 1]};
    Sort(sort_temp[warp]).Sort(keys, Below());
    out[64 + threadIdx.x * 2] = keys[0];
    out[64 + threadIdx.x * 2 + 1] = keys[1];
}

static int wrong = 0;
static void expect(bool holds, const char* what) {
    if (!holds) {
        wrong++;
        printf("wrong: %s\n", what);
    }
}

int main() {
    std::vector<int> v(N);
    unsigned x = 3;
    for (int& i : v) {
        x = x * 1664525u + 1013904223u;
        i = static_cast<int>(x >> 8) % 16;
    }
    int *in, *out, *more;
    cudaMallocManaged(&in, N * sizeof(int));
    cudaMallocManaged(&out, 4 * N * sizeof(int));
    cudaMallocManaged(&more, N * sizeof(int));
    std::copy(v.begin(), v.end(), in);
    sorts<<<1, THREADS>>>(in, out, more);
    cudaDeviceSynchronize();
    std::vector<int> places(N), sorted(v);
    for (int i = 0; i < N; i++) places[i] = i;
    std::stable_sort(places.begin(), places.end(), [&](int a, int b) { return v[b] < v[a]; });
    std::sort(sorted.begin(), sorted.end());
    expect(std::equal(places.begin(), places.end(), more), "SortDescending");
    expect(std::equal(sorted.rbegin(), sorted.rend(), out), "keys of SortDescending");
    expect(std::equal(sorted.begin(), sorted.end(), out + N), "BlockMergeSort");
    expect(std::equal(sorted.begin(), sorted.end(), out + 2 * N), "SortBlockedToStriped");
    exchanges<<<1, THREADS>>>(in, out);
    cudaDeviceSynchronize();
    expect(std::equal(v.begin(), v.end(), out), "StripedToBlocked");
    expect(std::equal(v.rbegin(), v.rend(), out + N), "ScatterToStriped");
    expect(std::equal(v.begin(), v.end(), out + 2 * N), "WarpStripedToBlocked");
    expect(std::equal(v.begin(), v.end(), out + 3 * N), "WarpExchange");
    neighbours<<<1, THREADS>>>(in, out);
    cudaDeviceSynchronize();
    bool flags = true, left = true, right = true, moved = true;
    for (int i = 0; i < N; i++) {
        flags = flags && out[i] == ((i == 0 || v[i] != v[i - 1]) + 2 * (i == N - 1 || v[i] != v[i + 1]));
        left = left && out[N + i] == (i == 0 ? v[i] : v[i] - v[i - 1]);
        right = right && out[2 * N + i] == (i == N - 1 ? v[i] - 5 : v[i] - v[i + 1]);
    }
    for (int t = 0; t < THREADS; t++) moved = moved && out[3 * N + t] == (t == 0 ? -1 : v[(t - 1) * ITEMS]);
    expect(flags, "FlagHeadsAndTails");
    expect(left, "SubtractLeft");
    expect(right, "SubtractRight");
    expect(moved, "Offset");
    histogram<<<1, THREADS>>>(in, more, out);
    cudaDeviceSynchronize();
    std::vector<int> bins(16), runs;
    for (int i : v) bins[i]++;
    for (int t = 0; t < THREADS; t++) runs.insert(runs.end(), t % 4, t);
    expect(std::equal(bins.begin(), bins.end(), more), "Histogram");
    expect(std::equal(runs.begin(), runs.end(), out), "RunLengthDecode");
    warps<<<1, 64>>>(in, out);
    cudaDeviceSynchronize();
    bool sums = true;
    for (int t = 0; t < 64; t++) {
        int sum = 0;
        for (int i = t; i < 64 && i / 32 == t / 32 && (i == t || i % 32 % 5 != 0); i++) sum += v[i];
        sums = sums && out[t] == (t % 32 % 5 == 0 ? sum : 0);
    }
    std::sort(v.begin(), v.begin() + 64);
    std::sort(v.begin() + 64, v.begin() + 128);
    expect(sums, "HeadSegmentedSum");
    expect(std::equal(v.begin(), v.begin() + 128, out + 64), "WarpMergeSort");
    printf("wrong: %d\n", wrong);
    cudaFree(in);
    cudaFree(out);
    cudaFree(more);
    return 0;
}
