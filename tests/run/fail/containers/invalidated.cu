// References and iterators into containers after the element is gone, and after it is not.
// revisions: grown erased moved view reserved next kept owned
//[moved] std: c++14
//[kept] std: c++14
//[view] std: c++17
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>
#include <cstdio>

int main()
{
#if defined(REV_grown) || defined(REV_reserved)
    std::vector<int> v(4, 1);
#ifdef REV_reserved
    v.reserve(5);
#endif
    int& first = v[0];
    v.push_back(2);
    std::printf("%d\n", first); //[grown]~ ERROR use-after-free: after it was freed
#endif
#if defined(REV_erased) || defined(REV_next)
    std::map<int, int> m{{1, 2}, {3, 4}};
    auto it = m.find(1);
#ifdef REV_next
    it = m.erase(it);
#else
    m.erase(it);
#endif
    std::printf("%d\n", it->second); //[erased]~ ERROR use-after-free: after it was freed
#endif
#if defined(REV_moved) || defined(REV_kept)
    auto a = std::make_unique<int>(5);
    auto b = std::move(a);
#ifdef REV_kept
    a = std::make_unique<int>(6);
#endif
    std::printf("%d %d\n", *b, *a); //[moved]~ ERROR null-dereference: null pointer
#endif
#if defined(REV_view) || defined(REV_owned)
    std::string whole(40, 'x');
#ifdef REV_owned
    std::string part = whole;
#else
    std::string_view part = whole;
#endif
    whole = std::string(200, 'y');
    std::printf("%c\n", part[39]); //[view]~ ERROR use-after-free: after it was freed
#endif
}
