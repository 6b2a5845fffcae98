/* Loops over arrays: a sieve, matrices, Life, a hash table, permutations. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 1000

static int sieve(void) {
    static unsigned char composite[N];
    int count = 0;
    for (int i = 2; i < N; i++) {
        if (composite[i]) continue;
        count++;
        for (int j = i * i; j < N; j += i) composite[j] = 1;
    }
    return count;
}

static void multiply(int n, const double a[n][n], const double b[n][n], double c[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            c[i][j] = 0;
            for (int k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j];
        }
}

enum { W = 12, H = 8 };
static void life(char world[H][W]) {
    char next[H][W];
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            int n = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    if (dy || dx) n += world[(y + dy + H) % H][(x + dx + W) % W] == '#';
            next[y][x] = n == 3 || (n == 2 && world[y][x] == '#') ? '#' : '.';
        }
    memcpy(world, next, sizeof next);
}

struct Entry { char *key; int count; struct Entry *next; };
static struct Entry *buckets[16];

static unsigned hash(const char *s) {
    unsigned h = 2166136261u;
    while (*s) h = (h ^ (unsigned char)*s++) * 16777619u;
    return h;
}

static void count_word(const char *word) {
    struct Entry **slot = &buckets[hash(word) % 16];
    for (; *slot; slot = &(*slot)->next)
        if (strcmp((*slot)->key, word) == 0) {
            (*slot)->count++;
            return;
        }
    *slot = calloc(1, sizeof **slot);
    (*slot)->key = malloc(strlen(word) + 1);
    strcpy((*slot)->key, word);
    (*slot)->count = 1;
}

static int permutations(char *s, int n, int depth) {
    if (depth == n) return s[0] < s[n - 1];
    int total = 0;
    for (int i = depth; i < n; i++) {
        char swap = s[depth];
        s[depth] = s[i];
        s[i] = swap;
        total += permutations(s, n, depth + 1);
        s[i] = s[depth];
        s[depth] = swap;
    }
    return total;
}

int main(void) {
    printf("%d\n", sieve());
    double a[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 10}}, c[3][3];
    multiply(3, a, a, c);
    printf("%g %g %g\n", c[0][0], c[1][2], c[2][2]);
    char world[H][W];
    memset(world, '.', sizeof world);
    world[0][1] = world[1][2] = world[2][0] = world[2][1] = world[2][2] = '#';
    for (int i = 0; i < 6; i++) life(world);
    for (int y = 0; y < H; y++) printf("%.*s\n", W, world[y]);
    char text[] = "the cat and the dog and the bird";
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) count_word(word);
    const char *asked[] = {"the", "and", "cat", "cow"};
    for (int i = 0; i < 4; i++) {
        struct Entry *e = buckets[hash(asked[i]) % 16];
        while (e && strcmp(e->key, asked[i])) e = e->next;
        printf("%s %d\n", asked[i], e ? e->count : 0);
    }
    for (int i = 0; i < 16; i++)
        while (buckets[i]) {
            struct Entry *dead = buckets[i];
            buckets[i] = dead->next;
            free(dead->key);
            free(dead);
        }
    char letters[] = "abcdef";
    printf("%d %s\n", permutations(letters, 6, 0), letters);
    return 0;
}
