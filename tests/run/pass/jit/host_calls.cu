// Calls between functions of the host that run as machine code: with local variables in memory, recursive beyond what the
// machine's own stack is used for, through pointers, with exceptions and `longjmp` through them; what was computed of an expression
// when compiled code leaves in the middle of it.
// run-flags: --engine jit
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

struct Item {
    int value;
    Item *next;
};

__attribute__((noinline)) static Item *merge(Item *a, Item *b) {
    Item head;
    Item *tail = &head;
    for (; a && b; tail = tail->next) {
        Item *&least = a->value <= b->value ? a : b;
        tail->next = least;
        least = least->next;
    }
    tail->next = a ? a : b;
    return head.next;
}

__attribute__((noinline)) static Item *sorted(Item *list) {
    if (!list || !list->next) return list;
    Item *slow = list;
    for (Item *fast = list->next; fast && fast->next; fast = fast->next->next) slow = slow->next;
    Item *half = slow->next;
    slow->next = nullptr;
    return merge(sorted(list), sorted(half));
}

// Its variable is live over the call, and each call sees that of its caller.
__attribute__((noinline)) static long deep(const long *outer, int n) {
    long own[3] = {n, outer[0], n ^ 5};
    if (n == 0) return own[1];
    long below = deep(own, n - 1);
    return below + own[n % 3] - outer[0] % 7;
}

static jmp_buf back;
__attribute__((noinline)) static int leaves(int n, int how) {
    int own[2] = {n, how};
    int *volatile at = own;
    if (n == 0) {
        if (how == 1) throw std::runtime_error("deep");
        if (how == 2) longjmp(back, 1);
    }
    return n == 0 ? at[1] : leaves(n - 1, how) + at[0];
}

struct Guard {
    int *at;
    explicit Guard(int *at) : at(at) { ++*at; }
    ~Guard() { --*at; }
};

__attribute__((noinline)) static int guarded(int n, int *alive) {
    Guard guard(alive);
    if (n == 0) throw *alive;
    return guarded(n - 1, alive) + *alive;
}

typedef long (*Function)(long, int, long);
__attribute__((noinline)) static long add(long a, int b, long c) { return a + b + c; }
__attribute__((noinline)) static long mix(long a, int b, long c) { return (a ^ b) * 3 + (c & 0xff); }
__attribute__((noinline)) static long shift(long a, int b, long) { return a >> (b & 7); }
__attribute__((noinline)) static long last(long, int, long c) { return c; }
__attribute__((noinline)) static long kept(long a, int b, long c) {
    long own[4] = {a, b, c, a ^ c};
    return own[b & 3];
}

__attribute__((noinline)) static unsigned expression(const int *p, const float *f, int i) {
    // Several values wait while the next one is loaded, and an entry is compiled at each.
    return ((unsigned)p[i] * 3u + (unsigned)p[i + 1]) ^ ((unsigned)p[i + 2] << 3) ^
           (unsigned)(int)(f[i] * 2.0f + f[i + 1] * f[i + 2] - (float)p[i]);
}

int main() {
    Item *list = nullptr;
    unsigned seed = 7;
    for (int i = 0; i < 3000; i++) {
        seed = seed * 1664525u + 1013904223u;
        Item *item = (Item *)malloc(sizeof(Item));
        item->value = (int)(seed >> 10);
        item->next = list;
        list = item;
    }
    list = sorted(list);
    unsigned hash = 0;
    bool in_order = true;
    while (list) {
        Item *next = list->next;
        hash = hash * 31u + (unsigned)list->value;
        in_order &= !next || list->value <= next->value;
        free(list);
        list = next;
    }
    printf("%u %d\n", hash, in_order);

    long start[1] = {3}, all = 0;
    for (int i = 0; i < 1500; i += 100) all += deep(start, i);
    printf("%ld\n", all);

    volatile int caught = 0, jumped = 0;
    for (int i = 0; i < 200; i++) {
        try {
            caught = caught + (leaves(i % 50, i % 2) & 3);
        } catch (const std::runtime_error &e) {
            caught = caught + (e.what()[0] == 'd');
        }
    }
    if (setjmp(back) == 0 || jumped < 30) {
        jumped = jumped + 1;
        if (jumped < 30) leaves(jumped * 20, 2);
    }
    int alive = 0, most = 0;
    for (int i = 0; i < 100; i++) {
        try {
            guarded(i, &alive);
        } catch (int n) {
            most += n;
        }
    }
    printf("%d %d %d %d\n", caught, jumped, alive, most);

    Function functions[5] = {add, mix, shift, last, kept};
    long x = 1;
    for (int i = 0; i < 3000; i++) x = functions[(i * 7 + i / 100) % 5](x & 0xffffff, i, i * 3L);
    printf("%ld\n", x);

    int p[40];
    float f[40];
    for (int i = 0; i < 40; i++) p[i] = i * 77 - 900, f[i] = (float)i * 0.25f - 3.0f;
    unsigned e = 0;
    for (int round = 0; round < 60; round++)
        for (int i = 0; i < 37; i++) e = e * 5u + expression(p, f, i);
    printf("%u\n", e);
    return 0;
}
