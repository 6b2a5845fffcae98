// What `alignas` and the attribute `aligned` ask for, in all forms: numbers, constants, types, arguments of templates, macros.
#include <cstdint>
#include <cstdio>
#define ALIGNED(n) __attribute__((aligned(n)))
constexpr int line = 512;
enum { part = 64 };
namespace outer {
struct alignas(128) Wide {
    int x;
};
} // namespace outer
alignas(64) char number[3];
char behind[5] __attribute__((aligned(32)));
ALIGNED(16) float in_macro;
float ALIGNED(16) after_type;
float product[2] ALIGNED(sizeof(double) * 2) = {1, 2};
alignas(double) char of_type, another;
__attribute__((aligned)) char most;
alignas(16) alignas(32) char twice;
alignas(double) alignas(0) int zero = alignof(int);
alignas(line) char constant;
alignas(part) char enumerator;
alignas(outer::Wide) char of_class;
alignas(part + 64) char sum;
alignas(char *) char of_pointer;
alignas(unsigned long long) char of_words;
alignas(0x40) char hexadecimal;

struct Members {
    alignas(16) char m;
    ALIGNED(8) int k;
};

template <class T> void show(const char *name, T &t, unsigned n) {
    printf("%s %d %u\n", name, (int)((uintptr_t)&t % n), n);
}
#define SHOW(x) show(#x, x, __alignof__(x))

template <int N> void by_number() {
    alignas(N) char local;
    alignas(2 * N) static char kept = 3;
    ALIGNED(N) float array[2];
    alignas(Members) char of_members;
    SHOW(local);
    SHOW(kept);
    SHOW(array);
    SHOW(of_members);
    show("local", local, N);
    show("kept", kept, 2 * N);
    show("array", array, N);
    show("of_members", of_members, 16);
}

template <class T> void by_type() {
    alignas(T) char local;
    alignas(alignof(T)) char room[sizeof(T)];
    alignas(T) static char kept[sizeof(T)];
    show("local", local, alignof(T));
    show("room", room, alignof(T));
    show("kept", kept, alignof(T));
}

template <class T> struct Box {
    alignas(T) static inline char kept;
    ALIGNED(sizeof(T)) char member;
};

int main() {
    SHOW(number);
    SHOW(behind);
    SHOW(in_macro);
    SHOW(after_type);
    SHOW(product);
    SHOW(of_type);
    SHOW(another);
    SHOW(most);
    SHOW(twice);
    SHOW(zero);
    SHOW(constant);
    SHOW(enumerator);
    SHOW(of_class);
    SHOW(sum);
    SHOW(of_pointer);
    SHOW(of_words);
    SHOW(hexadecimal);
    by_number<256>();
    by_type<Members>();
    by_type<double>();
    by_type<outer::Wide>();
    Box<Members> small;
    Box<outer::Wide> large;
    show("Box<Members>::kept", small.kept, 16);
    show("Box<Wide>::kept", large.kept, 128);
    show("large", large, 128);
    alignas(8) int last = [] {
        alignas(32) int inner = 3;
        SHOW(inner);
        return inner;
    }();
    SHOW(last);
}
