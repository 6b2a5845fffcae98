// Sorts of the device against the standard library's: numbers of all kinds by their order and its reverse, pairs by keys,
// structures and tuples by comparisons, all stable.
// std: c++14
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/sort.h>
#include <thrust/tuple.h>

#include <algorithm>
#include <cstdio>
#include <vector>

static unsigned state = 12345;
static unsigned next() {
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

struct Item {
    int key;
    int place;
};
struct ByKey {
    __host__ __device__ bool operator()(const Item& a, const Item& b) const { return a.key < b.key; }
};
struct ByFirst {
    template <typename A, typename B> __host__ __device__ bool operator()(const A& a, const B& b) const { return thrust::get<0>(a) < thrust::get<0>(b); }
};

static int wrong = 0;
static void expect(bool holds, const char* what, int n) {
    if (!holds) {
        wrong++;
        printf("wrong: %s of %d\n", what, n);
    }
}

template <typename T> void numbers(int n, const char* name) {
    std::vector<T> v(n);
    for (auto& x : v) x = static_cast<T>(static_cast<int>(next() % 2000) - 1000) * static_cast<T>(3);
    thrust::device_vector<T> d(v);
    std::stable_sort(v.begin(), v.end());
    thrust::sort(d.begin(), d.end());
    expect(d == v, name, n);
    std::vector<T> w(n);
    for (auto& x : w) x = static_cast<T>(next());
    d = w;
    std::stable_sort(w.begin(), w.end(), std::greater<T>());
    thrust::stable_sort(thrust::device, d.begin(), d.end(), thrust::greater<T>());
    expect(d == w, name, -n);
    std::vector<int> places(n);
    std::vector<T> keys(n);
    for (int i = 0; i < n; i++) {
        places[i] = i;
        keys[i] = static_cast<T>(next() % 17);
    }
    thrust::device_vector<T> k(keys);
    thrust::device_vector<int> p(places);
    thrust::stable_sort_by_key(k.begin(), k.end(), p.begin());
    std::stable_sort(places.begin(), places.end(), [&](int a, int b) { return keys[a] < keys[b]; });
    expect(p == places, "places", n);
}

void structures(int n) {
    std::vector<Item> v(n);
    for (int i = 0; i < n; i++) v[i] = Item{static_cast<int>(next() % 50), i};
    thrust::device_vector<Item> d(v);
    thrust::host_vector<Item> h(v);
    std::stable_sort(v.begin(), v.end(), ByKey());
    thrust::stable_sort(d.begin(), d.end(), ByKey());
    thrust::stable_sort(h.begin(), h.end(), ByKey());
    thrust::host_vector<Item> back = d;
    bool same = true, host_same = true;
    for (int i = 0; i < n; i++) {
        same = same && back[i].key == v[i].key && back[i].place == v[i].place;
        host_same = host_same && h[i].key == v[i].key && h[i].place == v[i].place;
    }
    expect(same, "structures", n);
    expect(host_same, "structures on the host", n);

    thrust::device_vector<int> keys(n), places(n);
    for (int i = 0; i < n; i++) v[i] = Item{static_cast<int>(next() % 50), i};
    for (int i = 0; i < n; i++) back[i] = v[i];
    thrust::host_vector<int> a(n), b(n);
    for (int i = 0; i < n; i++) a[i] = v[i].key, b[i] = v[i].place;
    keys = a;
    places = b;
    auto first = thrust::make_zip_iterator(thrust::make_tuple(keys.begin(), places.begin()));
    thrust::stable_sort(first, first + n, ByFirst());
    std::stable_sort(v.begin(), v.end(), ByKey());
    a = keys;
    b = places;
    same = true;
    for (int i = 0; i < n; i++) same = same && a[i] == v[i].key && b[i] == v[i].place;
    expect(same, "tuples", n);
}

int main() {
    const int sizes[] = {0, 1, 2, 31, 256, 257, 1000, 5003};
    for (int n : sizes) {
        numbers<int>(n, "int");
        numbers<unsigned char>(n, "unsigned char");
        numbers<float>(n, "float");
        numbers<double>(n, "double");
        numbers<long long>(n, "long long");
        numbers<unsigned short>(n, "unsigned short");
        structures(n);
    }
    // Values along keys of the host, and a comparison of the program's own on numbers.
    std::vector<int> keys{5, 3, 5, 1, 3}, values{0, 1, 2, 3, 4};
    thrust::sort_by_key(keys.begin(), keys.end(), values.begin());
    for (int i = 0; i < 5; i++) printf("%d:%d ", keys[i], values[i]);
    thrust::device_vector<int> d(keys);
    thrust::sort(d.begin(), d.end(), [] __host__ __device__(int a, int b) { return a % 3 < b % 3; });
    for (int i = 0; i < 5; i++) printf("%d ", static_cast<int>(d[i]));
    printf("\nwrong: %d\n", wrong);
    return 0;
}
