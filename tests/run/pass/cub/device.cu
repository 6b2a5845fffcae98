// CUB's algorithms of the device against the standard library's, each asked for the memory it needs first.
// std: c++14
#include <cub/cub.cuh>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

static unsigned state = 2024;
static unsigned next() {
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}
static int wrong = 0;
static void expect(bool holds, const char* what, int n) {
    if (!holds) {
        wrong++;
        printf("wrong: %s of %d\n", what, n);
    }
}

template <typename T> struct Array {
    T* at = nullptr;
    size_t count;
    explicit Array(size_t n) : count(n) { cudaMalloc(&at, n * sizeof(T) + 1); }
    explicit Array(const std::vector<T>& v) : Array(v.size()) { cudaMemcpy(at, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice); }
    Array(const Array&) = delete;
    ~Array() { cudaFree(at); }
    std::vector<T> get(size_t n) const {
        std::vector<T> v(n);
        cudaMemcpy(v.data(), at, n * sizeof(T), cudaMemcpyDeviceToHost);
        return v;
    }
    T one() const { return get(1)[0]; }
};

// Both calls.
template <typename F> void twice(F call) {
    void* temp = nullptr;
    size_t bytes = 0;
    if (call(temp, bytes) != cudaSuccess) printf("the first call failed\n");
    cudaMalloc(&temp, bytes);
    if (call(temp, bytes) != cudaSuccess) printf("the second call failed\n");
    cudaFree(temp);
}

struct Larger {
    __host__ __device__ int operator()(int a, int b) const { return a < b ? b : a; }
};
struct Plus {
    template <typename T> __host__ __device__ T operator()(const T& a, const T& b) const { return a + b; }
};
struct Odd {
    __host__ __device__ bool operator()(int x) const { return x % 2 != 0; }
};
struct ByTens {
    __host__ __device__ bool operator()(int a, int b) const { return a / 10 < b / 10; }
};

void sums(int n) {
    std::vector<int> v(n), w(n);
    for (int& x : v) x = static_cast<int>(next() % 2000) - 1000;
    Array<int> in(v), out(n + 1);
    twice([&](void* t, size_t& b) { return cub::DeviceReduce::Sum(t, b, in.at, out.at, n); });
    expect(out.one() == std::accumulate(v.begin(), v.end(), 0), "Sum", n);
    twice([&](void* t, size_t& b) { return cub::DeviceReduce::Reduce(t, b, in.at, out.at, n, Larger(), -5000); });
    expect(out.one() == (n ? *std::max_element(v.begin(), v.end()) : -5000), "Reduce", n);
    if (n > 0) {
        twice([&](void* t, size_t& b) { return cub::DeviceReduce::Min(t, b, in.at, out.at, n); });
        expect(out.one() == *std::min_element(v.begin(), v.end()), "Min", n);
        Array<cub::KeyValuePair<int, int>> arg(1);
        twice([&](void* t, size_t& b) { return cub::DeviceReduce::ArgMax(t, b, in.at, arg.at, n); });
        expect(arg.one().key == std::max_element(v.begin(), v.end()) - v.begin(), "ArgMax", n);
    }
    twice([&](void* t, size_t& b) { return cub::DeviceScan::InclusiveSum(t, b, in.at, out.at, n); });
    std::partial_sum(v.begin(), v.end(), w.begin());
    expect(out.get(n) == w, "InclusiveSum", n);
    twice([&](void* t, size_t& b) { return cub::DeviceScan::ExclusiveScan(t, b, in.at, out.at, Larger(), -7, n); });
    for (int i = 0, all = -7; i < n; all = std::max(all, v[i++])) w[i] = all;
    expect(out.get(n) == w, "ExclusiveScan", n);
    const int segments = 4;
    std::vector<int> ends(segments + 1), of_segments(segments);
    for (int s = 0; s <= segments; s++) ends[s] = n * s / segments;
    for (int s = 0; s < segments; s++) of_segments[s] = std::accumulate(v.begin() + ends[s], v.begin() + ends[s + 1], 0);
    Array<int> offsets(ends), of(segments);
    twice([&](void* t, size_t& b) { return cub::DeviceSegmentedReduce::Sum(t, b, in.at, of.at, segments, offsets.at, offsets.at + 1); });
    expect(of.get(segments) == of_segments, "segments' Sum", n);
}

template <typename K> void sorts(int n) {
    std::vector<K> keys(n);
    std::vector<int> places(n);
    for (int i = 0; i < n; i++) {
        keys[i] = static_cast<K>(static_cast<int>(next() % 200) - 100);
        places[i] = i;
    }
    Array<K> in(keys), out(n);
    Array<int> values(places), values_out(n);
    std::vector<K> sorted(keys);
    std::stable_sort(sorted.begin(), sorted.end());
    std::stable_sort(places.begin(), places.end(), [&](int a, int b) { return keys[a] < keys[b]; });
    twice([&](void* t, size_t& b) { return cub::DeviceRadixSort::SortKeys(t, b, in.at, out.at, n); });
    expect(out.get(n) == sorted, "SortKeys", n);
    twice([&](void* t, size_t& b) { return cub::DeviceRadixSort::SortPairs(t, b, in.at, out.at, values.at, values_out.at, n); });
    expect(out.get(n) == sorted && values_out.get(n) == places, "SortPairs", n);
    std::iota(places.begin(), places.end(), 0);
    std::stable_sort(places.begin(), places.end(), [&](int a, int b) { return keys[b] < keys[a]; });
    Array<K> first(keys), second(n);
    Array<int> first_values(values.get(n)), second_values(n);
    cub::DoubleBuffer<K> both(first.at, second.at);
    cub::DoubleBuffer<int> both_values(first_values.at, second_values.at);
    twice([&](void* t, size_t& b) { return cub::DeviceRadixSort::SortPairsDescending(t, b, both, both_values, n); });
    std::vector<K> down(n);
    std::vector<int> down_values(n);
    cudaMemcpy(down.data(), both.Current(), n * sizeof(K), cudaMemcpyDeviceToHost);
    cudaMemcpy(down_values.data(), both_values.Current(), n * sizeof(int), cudaMemcpyDeviceToHost);
    std::reverse(sorted.begin(), sorted.end());
    expect(down == sorted && down_values == places, "SortPairsDescending", n);
    std::vector<int> ends{0, n / 3, n / 3, n};
    Array<int> offsets(ends);
    sorted = keys;
    for (int s = 0; s < 3; s++) std::sort(sorted.begin() + ends[s], sorted.begin() + ends[s + 1]);
    twice([&](void* t, size_t& b) { return cub::DeviceSegmentedSort::SortKeys(t, b, in.at, out.at, n, 3, offsets.at, offsets.at + 1); });
    expect(out.get(n) == sorted, "segments' SortKeys", n);
}

void merges_and_bits(int n) {
    std::vector<int> v(n);
    for (int& x : v) x = static_cast<int>(next() % 1000);
    Array<int> in(v), out(n);
    std::vector<int> w(v);
    std::stable_sort(w.begin(), w.end(), ByTens());
    twice([&](void* t, size_t& b) { return cub::DeviceMergeSort::StableSortKeys(t, b, in.at, n, ByTens()); });
    expect(in.get(n) == w, "StableSortKeys", n);
    w = v;
    std::stable_sort(w.begin(), w.end(), [](int a, int b) { return (a >> 3 & 15) < (b >> 3 & 15); });
    Array<int> again(v);
    twice([&](void* t, size_t& b) { return cub::DeviceRadixSort::SortKeys(t, b, again.at, out.at, n, 3, 7); });
    expect(out.get(n) == w, "SortKeys by some bits", n);
}

void selections(int n) {
    std::vector<int> v(n), kept, rest, unique, lengths;
    std::vector<char> flags(n);
    for (int i = 0; i < n; i++) {
        v[i] = static_cast<int>(next() % 4);
        flags[i] = next() % 3 == 0;
    }
    for (int x : v) (Odd()(x) ? kept : rest).push_back(x);
    Array<int> in(v), out(n), count(1);
    Array<char> marks(flags);
    twice([&](void* t, size_t& b) { return cub::DeviceSelect::If(t, b, in.at, out.at, count.at, n, Odd()); });
    expect(out.get(count.one()) == kept, "If", n);
    twice([&](void* t, size_t& b) { return cub::DevicePartition::If(t, b, in.at, out.at, count.at, n, Odd()); });
    std::vector<int> parts(kept);
    parts.insert(parts.end(), rest.rbegin(), rest.rend());
    expect(out.get(n) == parts && count.one() == static_cast<int>(kept.size()), "Partition", n);
    kept.clear();
    for (int i = 0; i < n; i++)
        if (flags[i]) kept.push_back(v[i]);
    twice([&](void* t, size_t& b) { return cub::DeviceSelect::Flagged(t, b, in.at, marks.at, out.at, count.at, n); });
    expect(out.get(count.one()) == kept, "Flagged", n);
    for (int i = 0; i < n; i++) {
        if (i == 0 || v[i] != v[i - 1]) {
            unique.push_back(v[i]);
            lengths.push_back(0);
        }
        lengths.back()++;
    }
    twice([&](void* t, size_t& b) { return cub::DeviceSelect::Unique(t, b, in.at, out.at, count.at, n); });
    expect(out.get(count.one()) == unique, "Unique", n);
    Array<int> counts(n);
    twice([&](void* t, size_t& b) { return cub::DeviceRunLengthEncode::Encode(t, b, in.at, out.at, counts.at, count.at, n); });
    expect(out.get(count.one()) == unique && counts.get(count.one()) == lengths, "Encode", n);
    twice([&](void* t, size_t& b) { return cub::DeviceReduce::ReduceByKey(t, b, in.at, out.at, in.at, counts.at, count.at, Plus(), n); });
    std::vector<int> products(unique);
    for (size_t i = 0; i < products.size(); i++) products[i] *= lengths[i];
    expect(out.get(count.one()) == unique && counts.get(count.one()) == products, "ReduceByKey", n);
}

void histograms(int n) {
    std::vector<float> v(n);
    for (float& x : v) x = static_cast<float>(next() % 120) / 10.0f - 1.0f;
    std::vector<int> even(5), ranged(3);
    const std::vector<float> levels{0.0f, 1.0f, 5.0f, 10.0f};
    for (float x : v) {
        if (x >= 0.0f && x < 10.0f) {
            even[static_cast<int>(x / 2.0f)]++;
            ranged[x < 1.0f ? 0 : x < 5.0f ? 1 : 2]++;
        }
    }
    Array<float> in(v), edges(levels);
    Array<int> bins(5);
    twice([&](void* t, size_t& b) { return cub::DeviceHistogram::HistogramEven(t, b, in.at, bins.at, 6, 0.0f, 10.0f, n); });
    expect(bins.get(5) == even, "HistogramEven", n);
    twice([&](void* t, size_t& b) { return cub::DeviceHistogram::HistogramRange(t, b, in.at, bins.at, 4, edges.at, n); });
    expect(bins.get(3) == ranged, "HistogramRange", n);
}

int main() {
    for (int n : {0, 1, 33, 256, 1000, 4099}) {
        sums(n);
        sorts<int>(n);
        sorts<double>(n);
        sorts<signed char>(n);
        merges_and_bits(n);
        selections(n);
        histograms(n);
    }
    // Too little memory is refused.
    Array<int> in(std::vector<int>(5000, 1)), out(5000);
    size_t bytes = 0;
    cub::DeviceRadixSort::SortKeys(nullptr, bytes, in.at, out.at, 5000);
    Array<char> little(bytes / 2);
    size_t half = bytes / 2;
    printf("%s\n", cudaGetErrorName(cub::DeviceRadixSort::SortKeys(little.at, half, in.at, out.at, 5000)));
    cudaGetLastError();
    printf("wrong: %d\n", wrong);
    return 0;
}
