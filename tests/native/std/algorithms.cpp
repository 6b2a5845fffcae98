// <algorithm> and <numeric>.
#include <algorithm>
#include <functional>
#include <iostream>
#include <iterator>
#include <numeric>
#include <random>
#include <string>
#include <vector>

template <class T>
void show(const std::vector<T>& v)
{
    for (auto& x : v) std::cout << x << ' ';
    std::cout << '\n';
}
bool odd(int x) { return x % 2; }

int main()
{
    std::vector<int> v(30);
    unsigned s = 7;
    for (int& x : v) s = s * 1664525 + 1013904223, x = s >> 24;
    show(v);
    auto w = v;
    std::sort(w.begin(), w.end());
    show(w);
    std::cout << std::is_sorted(w.begin(), w.end()) << std::binary_search(w.begin(), w.end(), w[5]) << ' '
              << std::lower_bound(w.begin(), w.end(), 100) - w.begin() << ' ' << std::upper_bound(w.begin(), w.end(), 100) - w.begin() << '\n';
    std::stable_sort(v.begin(), v.end(), [](int a, int b) { return a % 10 < b % 10; });
    show(v);
    std::partial_sort(v.begin(), v.begin() + 5, v.end(), std::greater<int>());
    std::nth_element(v.begin() + 5, v.begin() + 10, v.end());
    std::cout << v[0] << ' ' << v[4] << ' ' << v[10] << '\n';
    std::sort(v.begin(), v.end());
    v.erase(std::unique(v.begin(), v.end()), v.end());
    std::rotate(v.begin(), v.begin() + 3, v.end());
    show(v);
    std::reverse(v.begin(), v.end());
    auto mid = std::stable_partition(v.begin(), v.end(), odd);
    std::cout << mid - v.begin() << ' ' << std::count_if(v.begin(), v.end(), odd) << std::all_of(v.begin(), mid, odd)
              << std::any_of(mid, v.end(), odd) << std::none_of(mid, v.end(), odd) << '\n';
    auto [least, most] = std::minmax_element(v.begin(), v.end());
    std::cout << *least << ' ' << *most << ' ' << std::max({3, 9, 4}) << std::min(2, 1) << std::clamp(15, 0, 10) << '\n';
    std::cout << std::accumulate(v.begin(), v.end(), 0) << ' ' << std::accumulate(v.begin(), v.begin() + 4, 1LL, std::multiplies<long long>()) << ' '
              << std::inner_product(v.begin(), v.end(), w.begin(), 0) << '\n';
    std::vector<int> out;
    std::transform(v.begin(), v.end(), std::back_inserter(out), [](int x) { return x * x; });
    std::partial_sum(out.begin(), out.end(), out.begin());
    std::adjacent_difference(out.begin(), out.end(), out.begin());
    show(out);
    std::iota(out.begin(), out.end(), -3);
    std::replace(out.begin(), out.end(), 0, 77);
    std::replace_if(out.begin(), out.end(), odd, 1);
    std::fill_n(out.begin(), 2, 5);
    std::generate(out.end() - 3, out.end(), [n = 0]() mutable { return n += 4; });
    show(out);
    std::vector<int> a{1, 2, 4, 5, 7}, b{2, 3, 5, 8}, c;
    std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(c));
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(c));
    std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(c));
    std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(c));
    show(c);
    std::cout << std::includes(a.begin(), a.end(), b.begin(), b.begin() + 1) << std::equal(a.begin(), a.end(), a.begin())
              << std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end()) << (std::search(c.begin(), c.end(), b.begin(), b.begin() + 2) - c.begin())
              << (std::find(c.begin(), c.end(), 8) - c.begin()) << std::distance(a.begin(), std::find_if(a.begin(), a.end(), [](int x) { return x > 3; })) << '\n';
    std::string p = "abcd";
    int n = 0;
    do n += p[0] * p[3];
    while (std::next_permutation(p.begin(), p.end()));
    std::prev_permutation(p.begin(), p.end());
    std::cout << n << p << '\n';
    std::make_heap(c.begin(), c.end());
    c.push_back(6);
    std::push_heap(c.begin(), c.end());
    std::pop_heap(c.begin(), c.end());
    std::cout << c.back() << c.front();
    std::sort_heap(c.begin(), c.end() - 1);
    show(c);
    std::for_each(a.begin(), a.end(), [](int& x) { x = -x; });
    std::swap_ranges(a.begin(), a.begin() + 2, b.begin());
    std::copy_backward(a.begin(), a.begin() + 3, a.end());
    show(a);
    show(b);
    std::mt19937 gen(42);
    std::shuffle(a.begin(), a.end(), gen);
    show(a);
    std::cout << std::gcd(84, 36) << std::lcm(4, 6) << std::reduce(a.begin(), a.end()) << std::transform_reduce(a.begin(), a.end(), 0, std::plus<>(), [](int x) { return x * x; }) << '\n';
    std::vector<std::string> names{"delta", "Alpha", "charlie", "Bravo"};
    std::sort(names.begin(), names.end(), [](const std::string& x, const std::string& y) {
        return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end(), [](char i, char j) { return std::tolower(i) < std::tolower(j); });
    });
    show(names);
    auto it = std::remove_if(names.begin(), names.end(), [](auto& s) { return s.size() == 5; });
    std::cout << it - names.begin() << names[0] << std::endl;
}
