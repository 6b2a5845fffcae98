// `begin` and `end` that are friends, with copies and references of the range.
#include <cstdio>
struct It { int v; int operator*() const { return v; } It &operator++() { ++v; return *this; } bool operator!=(const It &o) const { return v != o.v; } };
namespace n2 { struct R { int k; friend It begin(R r) { return {r.k + 100}; } friend It end(R r) { return {r.k + 102}; } }; }
namespace n4 { struct R { int k; friend It begin(const R &r) { return {r.k + 200}; } friend It end(const R &r) { return {r.k + 202}; } }; }
int main() { n2::R r{1}; for (int x : r) printf("%d ", x); n4::R q{1}; for (int x : q) printf("%d ", x); for (int x : n4::R{3}) printf("%d ", x); puts(""); }
