// Chains of small objects that machine code of the host follows: what it has found out of a node at one access does not
// stand for another access or another node.
// run-flags: --engine jit
// revisions: small tail freed value next odd readonly ended wild moved
#include <cstdio>
#include <cstdlib>

struct Node {
    int value;
    Node *next;
};

static const Node last = {7, nullptr};

__attribute__((noinline)) static long walk(Node *p, int step) {
    long sum = 0;
    while (p) {
        if (p->value & 1) { //[freed,ended]~ ERROR use-after-free
            //[value]~^ ERROR uninitialized-read
            //[odd]~^^ ERROR misaligned-access
            //[tail]~^^^ ERROR out-of-bounds
            //[wild]~^^^^ ERROR out-of-bounds
            sum += p->value;
            p->value += step; //[readonly]~ ERROR read-only-write
        } else {
            sum -= p->value; //[value]~ ERROR uninitialized-read
        }
        p = p->next; //[small]~ ERROR out-of-bounds
        //[next]~^ ERROR uninitialized-read
        //[moved]~^^ ERROR out-of-bounds
    }
    return sum;
}

int main() {
    Node *list = nullptr, *nodes[64];
    for (int i = 0; i < 64; i++) {
        Node *node = (Node *)malloc(sizeof(Node));
        node->value = i;
        node->next = list;
        nodes[i] = list = node;
    }
    long sum = 0;
    for (int round = 0; round < 50; round++) sum += walk(list, 2);
    void *other = nullptr;
#if defined(REV_small)
    Node *node = (Node *)malloc(8);
    node->value = 3;
    nodes[20]->next = node;
    other = node;
#elif defined(REV_tail)
    // It has two bytes.
    Node *node = (Node *)malloc(2);
    *(short *)node = 1;
    nodes[20]->next = node;
    other = node;
#elif defined(REV_freed)
    free(nodes[20]);
#elif defined(REV_value)
    Node *node = (Node *)malloc(sizeof(Node));
    node->next = nodes[10];
    nodes[20]->next = node;
    other = node;
#elif defined(REV_next)
    Node *node = (Node *)malloc(sizeof(Node));
    node->value = 3;
    *(int *)&node->next = 0;
    nodes[20]->next = node;
    other = node;
#elif defined(REV_odd)
    char *bytes = (char *)calloc(1, 22);
    nodes[20]->next = (Node *)(bytes + 2);
    other = bytes;
#elif defined(REV_readonly)
    nodes[20]->next = (Node *)&last;
#elif defined(REV_ended)
    for (int i = 0; i < 3; i++) {
        Node local = {i, nodes[10]};
        if (i < 2) nodes[20]->next = &local;
        if (i == 1) sum += walk(list, 2);
    }
#elif defined(REV_wild)
    nodes[20]->next = (Node *)((char *)nodes[10] + 32);
#elif defined(REV_moved)
    // All but the last of its bytes.
    char *bytes = (char *)calloc(1, 15);
    nodes[20]->next = (Node *)bytes;
    other = bytes;
#endif
    sum += walk(list, 2);
    printf("%ld\n", sum);
    free(other);
    for (Node *node : nodes) {
#ifdef REV_freed
        if (node == nodes[20]) continue;
#endif
        free(node);
    }
    return 0;
}
