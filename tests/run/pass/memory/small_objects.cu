// What a live allocation of the host takes beyond its own bytes, by what the system says of this process: below 100 bytes.
#include <cstdio>
#include <cstdlib>
#include <cstring>

const int EACH = 60000;
const size_t SIZES[] = {1, 16, 40, 112};

static void *kept[4 * EACH];

struct Node {
    int value;
    Node *next;
};

static long resident() {
    FILE *status = fopen("/proc/self/status", "r");
    char line[256];
    long kib = 0;
    while (status && fgets(line, sizeof line, status))
        if (!strncmp(line, "VmRSS:", 6))
            kib = atol(line + 6);
    if (status)
        fclose(status);
    return kib * 1024;
}

int main() {
    // Here `main` may become machine code, which takes memory, too.
    for (int i = 0; i < 4 * EACH; i++)
        kept[i] = kept;
    resident();
    long before = resident(), own = 0;
    for (int i = 0; i < 4 * EACH; i++) {
        size_t size = SIZES[i % 4];
        char *p = i % 8 < 4 ? (char *)malloc(size) : new char[size];
        p[0] = p[size - 1] = i;
        kept[i] = p;
        own += size;
    }
    long beyond = (resident() - before - own) / (4 * EACH);
    printf("%s\n", beyond < 100 ? "below 100 bytes" : "100 bytes or more");
    if (beyond >= 100)
        printf("%ld\n", beyond);
    // Each has kept what was written to it.
    int wrong = 0;
    for (int i = 0; i < 4 * EACH; i++) {
        char *p = (char *)kept[i];
        size_t size = SIZES[i % 4];
        wrong += p[0] != (char)i || p[size - 1] != (char)i;
        if (i % 8 < 4)
            free(p);
        else
            delete[] p;
    }
    // And what was freed serves again, not initialised.
    Node *head = nullptr;
    for (int i = 0; i < EACH; i++)
        head = new Node{i, head};
    long sum = 0;
    while (head) {
        Node *next = head->next;
        sum += head->value;
        delete head;
        head = next;
    }
    printf("%d wrong, %ld\n", wrong, sum);
    return 0;
}
