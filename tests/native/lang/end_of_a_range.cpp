// `end` where `begin` has more or fewer overloads, is static, or stands in several namespaces.
#include <cstdio>
struct It { int v; int operator*() const { return v; } It &operator++() { ++v; return *this; } bool operator!=(const It &o) const { return v != o.v; } };
struct OneBegin { It begin() const { return {0}; } It end() { return {2}; } It end() const { return {4}; } };
struct OneEnd { It begin() { return {0}; } It begin() const { return {1}; } It end() const { return {3}; } };
struct Stat { static It begin() { return {5}; } static It end() { return {7}; } };
namespace a { struct R { int k; }; template <class T> It begin(T &r) { return {r.k}; } template <class T> It end(T &r) { return {r.k + 1}; } }
namespace b { struct R { int k; }; template <class T> It begin(T &r) { return {r.k}; } template <class T> It end(T &r) { return {r.k + 2}; } }
namespace c { using a::begin; template <class T> It end(T &r) { return {r.k + 3}; } void use() { b::R r{50}; It e = c::end(r); a::R q{60}; It f = c::end(q); printf("%d %d\n", e.v, f.v); } }
int main() {
    c::use();
    OneBegin x; const OneBegin cx{}; for (int i : x) printf("%d ", i); for (int i : cx) printf("%d ", i); for (int i : OneBegin()) printf("%d ", i); puts("");
    OneEnd y; const OneEnd cy{}; for (int i : y) printf("%d ", i); for (int i : cy) printf("%d ", i); puts("");
    Stat s; for (int i : s) printf("%d ", i); puts(""); a::R r{10}; b::R q{20}; for (int i : r) printf("%d ", i); for (int i : q) printf("%d ", i); puts("");
}
