// Selections, partitions, runs, searches, merges and sets against the standard library's.
// std: c++14
#include <thrust/adjacent_difference.h>
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/equal.h>
#include <thrust/find.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/logical.h>
#include <thrust/merge.h>
#include <thrust/mismatch.h>
#include <thrust/partition.h>
#include <thrust/remove.h>
#include <thrust/replace.h>
#include <thrust/reverse.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/swap.h>
#include <thrust/unique.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

static unsigned state = 99;
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
struct Odd {
    __host__ __device__ bool operator()(int x) const { return x % 2 != 0; }
};
struct Above {
    int limit;
    __host__ __device__ bool operator()(int x) const { return x > limit; }
};

std::vector<int> numbers(int n, int range) {
    std::vector<int> v(n);
    for (auto& x : v) x = static_cast<int>(next() % range);
    return v;
}

void select(int n) {
    const std::vector<int> v = numbers(n, 10);
    std::vector<int> kept, dropped;
    for (int x : v) (Odd()(x) ? kept : dropped).push_back(x);
    thrust::device_vector<int> d(v), out(n), other(n);
    out.resize(thrust::copy_if(d.begin(), d.end(), out.begin(), Odd()) - out.begin());
    expect(out == kept, "copy_if", n);
    std::vector<int> stencil = numbers(n, 2), chosen;
    for (int i = 0; i < n; i++)
        if (stencil[i] == 0) chosen.push_back(v[i]);
    thrust::device_vector<int> ds(stencil);
    out.resize(n);
    out.resize(thrust::remove_copy_if(d.begin(), d.end(), ds.begin(), out.begin(), Odd()) - out.begin());
    expect(out == chosen, "remove_copy_if with a stencil", n);
    d.erase(thrust::remove_if(d.begin(), d.end(), Odd()), d.end());
    expect(d == dropped, "remove_if", n);
    d = v;
    d.erase(thrust::remove(d.begin(), d.end(), 3), d.end());
    std::vector<int> w(v);
    w.erase(std::remove(w.begin(), w.end(), 3), w.end());
    expect(d == w, "remove", n);
    d = v;
    auto point = thrust::stable_partition(d.begin(), d.end(), Odd());
    w = kept;
    w.insert(w.end(), dropped.begin(), dropped.end());
    expect(d == w && point - d.begin() == static_cast<long>(kept.size()), "stable_partition", n);
    expect(thrust::is_partitioned(d.begin(), d.end(), Odd()), "is_partitioned", n);
    d = v;
    out.resize(n);
    auto ends = thrust::partition_copy(d.begin(), d.end(), out.begin(), other.begin(), Odd());
    out.resize(ends.first - out.begin());
    other.resize(ends.second - other.begin());
    expect(out == kept && other == dropped, "partition_copy", n);
    thrust::replace_if(d.begin(), d.end(), Odd(), -1);
    w = v;
    std::replace_if(w.begin(), w.end(), Odd(), -1);
    expect(d == w, "replace_if", n);
    d = v;
    thrust::replace(d.begin(), d.end(), 4, 40);
    w = v;
    std::replace(w.begin(), w.end(), 4, 40);
    expect(d == w, "replace", n);
}

void runs(int n) {
    const std::vector<int> v = numbers(n, 3), values = numbers(n, 1000);
    std::vector<int> w(v), first;
    w.erase(std::unique(w.begin(), w.end()), w.end());
    for (int i = 0; i < n; i++)
        if (i == 0 || v[i] != v[i - 1]) first.push_back(values[i]);
    thrust::device_vector<int> d(v), dv(values);
    expect(thrust::unique_count(d.begin(), d.end()) == static_cast<long>(w.size()), "unique_count", n);
    auto ends = thrust::unique_by_key(d.begin(), d.end(), dv.begin());
    d.erase(ends.first, d.end());
    dv.erase(ends.second, dv.end());
    expect(d == w && dv == first, "unique_by_key", n);
    d = v;
    d.erase(thrust::unique(d.begin(), d.end()), d.end());
    expect(d == w, "unique", n);
    d = v;
    w = v;
    std::adjacent_difference(v.begin(), v.end(), w.begin());
    thrust::adjacent_difference(d.begin(), d.end(), d.begin());
    expect(d == w, "adjacent_difference", n);
    d = v;
    w = v;
    std::reverse(w.begin(), w.end());
    thrust::reverse(d.begin(), d.end());
    expect(d == w, "reverse", n);
}

void search(int n) {
    std::vector<int> v = numbers(n, n + 1);
    thrust::device_vector<int> d(v);
    const int wanted = n > 0 ? v[n / 2] : 0;
    expect(thrust::find(d.begin(), d.end(), wanted) - d.begin() == std::find(v.begin(), v.end(), wanted) - v.begin(), "find", n);
    expect(thrust::find_if(d.begin(), d.end(), Above{n - 2}) - d.begin() == std::find_if(v.begin(), v.end(), Above{n - 2}) - v.begin(), "find_if", n);
    expect(thrust::all_of(d.begin(), d.end(), Above{-1}) && thrust::none_of(d.begin(), d.end(), Above{n}), "all_of", n);
    expect(thrust::any_of(d.begin(), d.end(), Odd()) == std::any_of(v.begin(), v.end(), Odd()), "any_of", n);
    expect(thrust::is_sorted(d.begin(), d.end()) == std::is_sorted(v.begin(), v.end()), "is_sorted", n);
    expect(thrust::is_sorted_until(d.begin(), d.end()) - d.begin() == std::is_sorted_until(v.begin(), v.end()) - v.begin(), "is_sorted_until", n);
    thrust::device_vector<int> e(d);
    expect(thrust::equal(d.begin(), d.end(), e.begin()), "equal", n);
    if (n > 0) {
        e[n / 3] = -5;
        expect(thrust::mismatch(d.begin(), d.end(), e.begin()).first - d.begin() == n / 3, "mismatch", n);
    }
    std::sort(v.begin(), v.end());
    d = v;
    const std::vector<int> values = numbers(50, n + 10);
    thrust::device_vector<int> dv(values), low(50), high(50), there(50);
    thrust::lower_bound(d.begin(), d.end(), dv.begin(), dv.end(), low.begin());
    thrust::upper_bound(d.begin(), d.end(), dv.begin(), dv.end(), high.begin());
    thrust::binary_search(d.begin(), d.end(), dv.begin(), dv.end(), there.begin());
    thrust::host_vector<int> hl = low, hh = high, ht = there;
    bool same = true;
    for (int i = 0; i < 50; i++)
        same = same && hl[i] == std::lower_bound(v.begin(), v.end(), values[i]) - v.begin() &&
               hh[i] == std::upper_bound(v.begin(), v.end(), values[i]) - v.begin() && ht[i] == std::binary_search(v.begin(), v.end(), values[i]);
    expect(same, "bounds", n);
    expect(thrust::lower_bound(d.begin(), d.end(), 7) - d.begin() == std::lower_bound(v.begin(), v.end(), 7) - v.begin(), "lower_bound", n);
    expect(thrust::binary_search(thrust::device, d.begin(), d.end(), 7) == std::binary_search(v.begin(), v.end(), 7), "binary_search", n);
    const auto range = thrust::equal_range(d.begin(), d.end(), 7);
    expect(range.second - range.first == std::count(v.begin(), v.end(), 7), "equal_range", n);
}

void sets(int n, int m, int range) {
    std::vector<int> a = numbers(n, range), b = numbers(m, range), w;
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    thrust::device_vector<int> da(a), db(b), out(n + m);
    w.resize(n + m);
    std::merge(a.begin(), a.end(), b.begin(), b.end(), w.begin());
    thrust::merge(da.begin(), da.end(), db.begin(), db.end(), out.begin());
    expect(out == w, "merge", n);
#define SET(name)                                                                                  \
    w.resize(n + m);                                                                               \
    w.resize(std::name(a.begin(), a.end(), b.begin(), b.end(), w.begin()) - w.begin());            \
    out.resize(n + m);                                                                             \
    out.resize(thrust::name(da.begin(), da.end(), db.begin(), db.end(), out.begin()) - out.begin()); \
    expect(out == w, #name, n);
    SET(set_intersection)
    SET(set_difference)
    SET(set_union)
    SET(set_symmetric_difference)
    // Values follow their keys.
    std::vector<int> va(n), vb(m);
    std::iota(va.begin(), va.end(), 0);
    std::iota(vb.begin(), vb.end(), 100000);
    thrust::device_vector<int> dva(va), dvb(vb), vout(n + m);
    out.resize(n + m);
    auto ends = thrust::set_union_by_key(da.begin(), da.end(), db.begin(), db.end(), dva.begin(), dvb.begin(), out.begin(), vout.begin());
    thrust::host_vector<int> hk(out.begin(), ends.first), hv(vout.begin(), ends.second);
    bool same = hk.size() == hv.size();
    for (size_t i = 0; i < hk.size(); i++) same = same && hk[i] == (hv[i] < 100000 ? a[hv[i]] : b[hv[i] - 100000]);
    expect(same, "set_union_by_key", n);
}

void move(int n) {
    const std::vector<int> v = numbers(n, 1000);
    std::vector<int> map(n), w(n);
    std::iota(map.begin(), map.end(), 0);
    for (int i = n - 1; i > 0; i--) std::swap(map[i], map[next() % (i + 1)]);
    thrust::device_vector<int> d(v), dm(map), out(n), back(n);
    thrust::gather(dm.begin(), dm.end(), d.begin(), out.begin());
    for (int i = 0; i < n; i++) w[i] = v[map[i]];
    expect(out == w, "gather", n);
    thrust::scatter(out.begin(), out.end(), dm.begin(), back.begin());
    expect(back == v, "scatter", n);
    thrust::swap_ranges(out.begin(), out.end(), back.begin());
    expect(out == v && back == w, "swap_ranges", n);
}

int main() {
    const int sizes[] = {0, 1, 2, 31, 256, 257, 1000, 5003};
    for (int n : sizes) {
        select(n);
        runs(n);
        search(n);
        sets(n, n / 2, 20);
        sets(n, 2 * n + 1, 3 * n + 1);
        move(n);
    }
    printf("wrong: %d\n", wrong);
    return 0;
}
