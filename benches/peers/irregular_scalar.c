// The irregular benchmark kernels as plain sequential C, compiled with -O2: what the same result costs one CPU core
// without threads. Usage: irregular_scalar NAME
#include <string.h>
#include "../kernels/irregular/inputs.h"

__attribute__((noinline)) static void spmv(const int *row, const int *col, const float *val, const float *x, float *y, int n)
{
    for (int r = 0; r < n; r++) {
        float sum = 0.0f;
        for (int k = row[r]; k < row[r + 1]; k++)
            sum += val[k] * x[col[k]];
        y[r] = sum;
    }
}

__attribute__((noinline)) static void bfs(const int *row, const int *col, int *level, int *queue, int n)
{
    for (int i = 0; i < n; i++)
        level[i] = -1;
    level[0] = 0;
    queue[0] = 0;
    for (int head = 0, tail = 1; head < tail; head++) {
        int v = queue[head];
        for (int k = row[v]; k < row[v + 1]; k++) {
            int w = col[k];
            if (level[w] < 0) {
                level[w] = level[v] + 1;
                queue[tail++] = w;
            }
        }
    }
}

__attribute__((noinline)) static void mandelbrot(int *out, int n, int most)
{
    for (int py = 0; py < n; py++)
        for (int px = 0; px < n; px++) {
            float cx = px * (3.0f / 512) - 2.0f, cy = py * (3.0f / 512) - 1.125f, x = 0.0f, y = 0.0f;
            int i = 0;
            for (; i < most; i++) {
                float xx = x * x, yy = y * y, xy = x * y;
                if (xx + yy > 4.0f)
                    break;
                x = xx - yy + cx;
                y = xy + xy + cy;
            }
            out[py * n + px] = i;
        }
}

__attribute__((noinline)) static void transpose(const float *in, float *out, int n)
{
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++)
            out[x * n + y] = in[y * n + x];
}

__attribute__((noinline)) static void gauss(float *a, int n)
{
    for (int k = 0; k < n - 1; k++)
        for (int i = k + 1; i < n; i++) {
            float f = a[i * (n + 1) + k] / a[k * (n + 1) + k];
            for (int j = k; j <= n; j++)
                a[i * (n + 1) + j] -= f * a[k * (n + 1) + j];
        }
}

static int between(int x, int least, int most)
{
    return x < least ? least : x > most ? most : x;
}

__attribute__((noinline)) static void convolve(const float *in, const float *taps, float *out, int n)
{
    int r = CONVOLVE_RADIUS;
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            float sum = 0.0f;
            for (int j = -r; j <= r; j++)
                for (int i = -r; i <= r; i++)
                    sum += in[between(y + j, 0, n - 1) * n + between(x + i, 0, n - 1)] * taps[(j + r) * (2 * r + 1) + i + r];
            out[y * n + x] = sum;
        }
}

__attribute__((noinline)) static int strings(const char *text, const char *pattern, int n, int length)
{
    int found = 0;
    for (int at = 0; at < n; at++) {
        int i = 0;
        while (i < length && text[at + i] == pattern[i])
            i++;
        if (i == length)
            found += at % 1000 + 1;
    }
    return found;
}

__attribute__((noinline)) static void hash(const unsigned *keys, unsigned *table, int n, unsigned slots)
{
    for (int i = 0; i < n; i++) {
        unsigned slot = (keys[i] * 2654435761u >> 8) % slots;
        while (table[slot] != 0 && table[slot] != keys[i])
            slot = (slot + 1) % slots;
        table[slot] = keys[i];
    }
}

__attribute__((noinline)) static void tree(struct tree t, const int *wanted, int *depth, int n)
{
    for (int i = 0; i < n; i++) {
        int want = wanted[i], at = 0, steps = 0;
        while (at >= 0 && t.key[at] != want) {
            at = want < t.key[at] ? t.left[at] : t.right[at];
            steps++;
        }
        depth[i] = at < 0 ? -steps : steps;
    }
}

// Twice, the first time for the caches; only the second is measured.
#define MEASURE(reset, run) \
    do {                    \
        run;                \
        reset;              \
        bench_begin();      \
        run;                \
        bench_end();        \
    } while (0)

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    int is_wide = !strcmp(name, "spmv_vector");
    if (is_wide || !strcmp(name, "spmv_scalar")) {
        struct csr m = is_wide ? csr_random(SPMV_WIDE_ROWS, SPMV_WIDE_MOST) : csr_random(SPMV_ROWS, SPMV_MOST);
        float *x = floats_random(m.n), *y = malloc(m.n * sizeof(float));
        MEASURE(, spmv(m.row, m.col, m.val, x, y, m.n));
        print_floats(name, y, m.n);
    } else if (!strcmp(name, "bfs")) {
        struct csr m = csr_random(BFS_VERTICES, BFS_MOST);
        int *level = malloc(m.n * sizeof(int)), *queue = malloc(m.n * sizeof(int));
        MEASURE(, bfs(m.row, m.col, level, queue, m.n));
        print_ints(name, level, m.n);
    } else if (!strcmp(name, "mandelbrot")) {
        int n = MANDELBROT_SIZE, *out = malloc(n * n * sizeof(int));
        MEASURE(, mandelbrot(out, n, MANDELBROT_MOST));
        print_ints(name, out, n * n);
    } else if (!strcmp(name, "transpose")) {
        int n = TRANSPOSE_SIZE;
        float *in = floats_random(n * n), *out = malloc(n * n * sizeof(float));
        MEASURE(, transpose(in, out, n));
        print_floats(name, out, n * n);
    } else if (!strcmp(name, "gauss")) {
        int n = GAUSS_SIZE;
        size_t bytes = (size_t)n * (n + 1) * sizeof(float);
        float *h = gauss_matrix(n), *a = malloc(bytes);
        memcpy(a, h, bytes);
        MEASURE(memcpy(a, h, bytes), gauss(a, n));
        print_gauss(a, n);
    } else if (!strcmp(name, "convolve")) {
        int n = CONVOLVE_SIZE;
        float *h = floats_random(n * n), *taps = floats_random(CONVOLVE_TAPS), *out = malloc(n * n * sizeof(float));
        MEASURE(, convolve(h, taps, out, n));
        print_floats(name, out, n * n);
    } else if (!strcmp(name, "strings")) {
        char *text = strings_text(STRINGS_TEXT);
        int found;
        MEASURE(, found = strings(text, strings_pattern, STRINGS_TEXT, STRINGS_PATTERN));
        print_ints(name, &found, 1);
    } else if (!strcmp(name, "hash")) {
        unsigned *keys = hash_keys(HASH_KEYS), *table = calloc(HASH_SLOTS, sizeof(unsigned));
        MEASURE(memset(table, 0, HASH_SLOTS * sizeof(unsigned)), hash(keys, table, HASH_KEYS, HASH_SLOTS));
        print_hash(table);
    } else if (!strcmp(name, "tree")) {
        struct tree t = tree_random(TREE_NODES);
        int *wanted = tree_wanted(TREE_LOOKUPS), *depth = malloc(TREE_LOOKUPS * sizeof(int));
        MEASURE(, tree(t, wanted, depth, TREE_LOOKUPS));
        print_ints(name, depth, TREE_LOOKUPS);
    } else {
        fprintf(stderr, "no such kernel: %s\n", name);
        return 2;
    }
    return 0;
}
