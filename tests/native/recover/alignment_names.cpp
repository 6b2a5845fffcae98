// Names and operators in what `alignas` asks for: of C, of namespaces, hidden by others.
#include <cstddef>
#include <cstdint>
#include <cstdio>
namespace a {
struct V {
    char c;
};
} // namespace a
namespace b {
struct alignas(32) V {
    char c;
};
} // namespace b
using W = b::V;
typedef double D8;
typedef float Wide __attribute__((aligned(64)));
constexpr int part = 64;
constexpr int n = 128;
struct K {
    static constexpr int value = 16;
};
struct L {
    static constexpr int value = 32;
};
alignas(uint64_t) char of_c;
alignas(std::max_align_t) char most;
alignas(W) char alias;
alignas(D8) char type_name;
alignas(Wide) char by_name_of_type;
alignas(512 / part) char quotient;
alignas(K::value) char of_first;
alignas(L::value) char of_second;
alignas(b::V) char outer;
alignas(a::V) char inner;
alignas(1 << 6) char shifted;
alignas(sizeof(void *) / sizeof(char)) char measures;
alignas((part + 64) % 128 + (part - 32)) char brackets;

#define SHOW(x) printf(#x " %d\n", (int)((uintptr_t)&x % __alignof__(x)))
template <class T> void instance() {
    alignas(K::value) T x[8];
    alignas(part) static T y;
    SHOW(x);
    SHOW(y);
    printf("%d\n", (int)((uintptr_t)&y % 64));
}

int main() {
    SHOW(of_c);
    SHOW(most);
    SHOW(alias);
    SHOW(type_name);
    SHOW(by_name_of_type);
    SHOW(quotient);
    SHOW(of_first);
    SHOW(of_second);
    SHOW(outer);
    SHOW(inner);
    SHOW(shifted);
    SHOW(measures);
    SHOW(brackets);
    instance<char>();
}
