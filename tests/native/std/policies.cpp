// Policies of parallel algorithms.
#include <algorithm>
#include <execution>
#include <iostream>
#include <numeric>
#include <vector>
int main()
{
    std::vector<int> v(1000);
    std::iota(v.rbegin(), v.rend(), 0);
    std::sort(std::execution::par, v.begin(), v.end());
    std::cout << v[10] << ' ' << std::reduce(std::execution::par_unseq, v.begin(), v.end()) << '\n';
    std::for_each(std::execution::seq, v.begin(), v.end(), [](int &x) { x *= 2; });
    std::cout << std::transform_reduce(std::execution::par, v.begin(), v.end(), 0L, std::plus<>(), [](int x) { return x + 1L; }) << '\n';
}
