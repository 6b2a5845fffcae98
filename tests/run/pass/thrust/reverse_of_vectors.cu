// The iterators of vectors from the end to the begin are Thrust's own: they go into its algorithms and other iterators.
// std: c++14
#include <cstdio>
#include <thrust/device_vector.h>
#include <thrust/equal.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/transform.h>

int main() {
    thrust::device_vector<int> d{1, 2, 3, 4};
    auto z = thrust::make_zip_iterator(thrust::make_tuple(d.begin(), d.rbegin()));
    thrust::tuple<int, int> q = z[1];
    printf("%d %d\n", thrust::get<0>(q), thrust::get<1>(q));
    auto t = thrust::make_transform_iterator(d.rbegin(), thrust::negate<int>());
    printf("%d\n", thrust::reduce(t, t + 4));
    thrust::device_vector<int> o(4);
    thrust::transform(d.begin(), d.end(), d.rbegin(), o.begin(), thrust::plus<int>());
    printf("%d %d\n", int(o[0]), int(thrust::equal(d.begin(), d.end(), d.rbegin())));
    thrust::reverse_iterator<thrust::device_vector<int>::iterator> r = d.rbegin();
    const thrust::device_vector<int> &c = d;
    thrust::device_vector<int>::const_reverse_iterator last = d.rend();
    printf("%d %d %d\n", int(*r), int(c.crbegin()[1]), int(last - c.rbegin()));
    o[0] = 3, o[1] = 0, o[2] = 1, o[3] = 2;
    auto p = thrust::make_permutation_iterator(d.rbegin(), o.begin());
    printf("%d %d\n", int(p[0]), int(p[1]));
    thrust::host_vector<int> h(d.rbegin(), d.rend());
    for (auto i = h.rbegin(); i != h.rend(); ++i) printf("%d ", *i);
    thrust::copy(h.rbegin(), h.rend(), d.begin());
    printf("%d\n", int(d[3]));
    int array[4] = {5, 6, 7, 8};
    thrust::copy(std::reverse_iterator<int *>(array + 4), std::reverse_iterator<int *>(array), d.begin());
    thrust::copy(d.begin(), d.end(), std::reverse_iterator<int *>(array + 4));
    printf("%d %d\n", int(d[0]), array[0]);
}
