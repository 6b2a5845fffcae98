// Chains of objects of many sizes that machine code of the host follows, some of them local variables and parts of arrays; objects
// that are freed and made anew meanwhile.
// run-flags: --engine jit
#include <cstdio>
#include <cstdlib>
#include <cstring>

template <int N> struct Node {
    Node *next;
    char bytes[N];
};

// What the bytes hold is told by the place in the chain.
template <int N> static void fill(Node<N> *node, unsigned n) {
    for (int i = 0; i < N; i++) node->bytes[i] = (char)(n * 7 + i);
}

template <int N> __attribute__((noinline)) static unsigned sum(const Node<N> *p) {
    unsigned all = 0;
    for (; p; p = p->next) all = all * 31 + (unsigned char)p->bytes[0] + (unsigned char)p->bytes[N - 1];
    return all;
}

template <int N> __attribute__((noinline)) static Node<N> *reversed(Node<N> *p) {
    Node<N> *back = nullptr;
    while (p) {
        Node<N> *next = p->next;
        p->next = back;
        p->bytes[0] ^= 1;
        back = p;
        p = next;
    }
    return back;
}

template <int N> static bool is_local(const Node<N> *p, const Node<N> *own, const Node<N> *parts) {
    for (int i = 0; i < 8; i++)
        if (p == parts + i) return true;
    return p == own;
}

template <int N> __attribute__((noinline)) static unsigned chains() {
    Node<N> parts[8], own;
    Node<N> *list = nullptr;
    unsigned all = 0;
    for (unsigned n = 0; n < 300; n++) {
        Node<N> *node = n % 50 == 7 ? &parts[n / 50] : n == 120 ? &own : (Node<N> *)malloc(sizeof(Node<N>));
        fill(node, n);
        node->next = list;
        list = node;
    }
    for (int round = 0; round < 20; round++) {
        all += sum(list);
        list = reversed(list);
        // Every third that was allocated makes room for another, which may come to stand elsewhere.
        for (Node<N> **at = &list; *at; at = &(*at)->next) {
            Node<N> *old = *at;
            if (is_local(old, &own, parts) || (unsigned char)old->bytes[0] % 3 != 0) continue;
            Node<N> *node = (Node<N> *)malloc(sizeof(Node<N>));
            memcpy(node, old, sizeof(Node<N>));
            *at = node;
            free(old);
        }
    }
    while (list) {
        Node<N> *next = list->next;
        if (!is_local(list, &own, parts)) free(list);
        list = next;
    }
    return all;
}

int main() {
    printf("%u %u %u %u\n", chains<1>(), chains<8>(), chains<14>(), chains<15>());
    printf("%u %u %u\n", chains<16>(), chains<40>(), chains<200>());
    return 0;
}
