// Calls: Fibonacci's numbers, Ackermann's function, a binary tree, function pointers.
#include "host.h"

static int fib(int n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

static int ackermann(int m, int n)
{
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

struct Node {
    int key;
    Node *left;
    Node *right;
};

static Node *insert(Node *root, Node *node)
{
    if (!root)
        return node;
    if (node->key < root->key)
        root->left = insert(root->left, node);
    else
        root->right = insert(root->right, node);
    return root;
}

static long long walk(const Node *n, int depth)
{
    return n ? walk(n->left, depth + 1) + (long long)n->key * depth + walk(n->right, depth + 1) : 0;
}

static int add(int a, int b)
{
    return a + b;
}

static int mix(int a, int b)
{
    return (a ^ b) & 0xffff;
}

int main(void)
{
    const int n = 50000;
    Node *nodes = (Node *)malloc(n * sizeof(Node));
    for (int i = 0; i < n; i++) {
        nodes[i].key = (int)host_random();
        nodes[i].left = nodes[i].right = NULL;
    }
    host_begin();
    int f = fib(31);
    int a = ackermann(2, 800);
    Node *root = NULL;
    for (int i = 0; i < n; i++)
        root = insert(root, &nodes[i]);
    long long w = walk(root, 0);
    int (*ops[2])(int, int) = {add, mix};
    int x = 1;
    for (int i = 0; i < 4000000; i++)
        x = ops[i & 1](x, i & 0xff);
    host_end();
    printf("%d %d %lld %d\n", f, a, w, x);
    free(nodes);
    return 0;
}
