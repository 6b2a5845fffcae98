// Code of the host as machine code: loops, calls, recursion beyond what the machine's own stack is used for, exceptions through
// compiled functions, `longjmp`, callbacks, variable arguments, threads that take turns.
// run-flags: --engine jit
#include <algorithm>
#include <csetjmp>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

__attribute__((noinline)) static int depth(int n) {
    return n == 0 ? 0 : 1 + depth(n - 1);
}

__attribute__((noinline)) static int ackermann(int m, int n) {
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

__attribute__((noinline)) static int thrower(int n) {
    if (n == 0) throw std::runtime_error("bottom");
    return thrower(n - 1) + 1;
}

static jmp_buf back;
__attribute__((noinline)) static int jumper(int n) {
    if (n == 0) longjmp(back, 7);
    return jumper(n - 1) + 1;
}

__attribute__((noinline)) static double mean(int n, ...) {
    va_list list;
    va_start(list, n);
    double sum = 0;
    for (int i = 0; i < n; i++) sum += va_arg(list, double);
    va_end(list);
    return sum / n;
}

static int compare(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return x < y ? -1 : x > y;
}

struct Pair {
    char tag;
    long value;
};

struct Counter {
    int *at;
    explicit Counter(int *at) : at(at) { ++*at; }
    ~Counter() { --*at; }
};

static float nans(float x) {
    // Which of two NaNs a sum is hangs on the order of its operands.
    unsigned bits[2] = {0x7fc00001u, 0x7fc00002u};
    float f[2];
    memcpy(f, bits, sizeof f);
    float s = x;
    for (int i = 0; i < 40; i++) s = i < 20 ? s + f[0] : s * 2.0f;
    return s;
}

int main() {
    printf("%d %d\n", depth(5000), ackermann(2, 60));
    int alive = 0, caught = 0;
    for (int i = 0; i < 300; i++) {
        try {
            Counter c(&alive);
            caught += thrower(i % 40);
        } catch (const std::runtime_error &e) {
            caught += e.what()[0] == 'b';
        }
    }
    printf("%d %d\n", alive, caught);
    volatile int jumps = 0;
    if (setjmp(back) < 7 || jumps < 20) {
        jumps = jumps + 1;
        if (jumps < 20) jumper(jumps * 10);
    }
    printf("%d %.3f\n", jumps, mean(3, 1.0, 2.5, 4.0));

    std::vector<int> v;
    unsigned seed = 1;
    for (int i = 0; i < 2000; i++) {
        seed = seed * 1664525u + 1013904223u;
        v.push_back((int)(seed >> 12));
    }
    std::vector<int> w = v;
    qsort(w.data(), w.size(), sizeof(int), compare);
    std::sort(v.begin(), v.end());
    printf("%d\n", v == w);

    // Padding is copied as what it is.
    Pair pairs[16], copies[16];
    for (int i = 0; i < 16; i++) pairs[i].tag = (char)('a' + i), pairs[i].value = 1L << 3 * i;
    for (int round = 0; round < 50; round++)
        for (int i = 0; i < 16; i++) copies[i] = pairs[15 - i];
    long sum = 0;
    for (int i = 0; i < 16; i++) sum += copies[i].value ^ copies[i].tag;
    printf("%ld\n", sum);

    unsigned bits;
    float s = nans(1.0f);
    memcpy(&bits, &s, sizeof bits);
    long double wide = 1.0L;
    for (int i = 1; i < 200; i++) wide += 1.0L / i;
    long long big = 1;
    unsigned long long words = 0;
    for (int i = 0; i < 200; i++) {
        big = big * 3 % 1000003 - i;
        words = words << 7 | words >> 57;
        words ^= (unsigned long long)big;
        switch (i % 7) {
        case 0: words += 3; break;
        case 3: words -= (unsigned)i; continue;
        case 5: words ^= words >> 3; break;
        default: break;
        }
        words += (unsigned char)i;
    }
    printf("%08x %.15Lf %lld %llu %d %d\n", bits, wide, big, words, (int)-3.9, (int)(float)2e9);

    int shared = 0;
    std::mutex m;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; t++)
        threads.emplace_back([&, t] {
            int own = 0;
            for (int i = 0; i < 40000; i++) own += i & t;
            for (int i = 0; i < 50; i++) {
                std::lock_guard<std::mutex> lock(m);
                shared += own % 10 + 1;
            }
        });
    for (auto &t : threads) t.join();
    printf("%d\n", shared);
}
