// Inputs of the irregular kernels, and the line that is printed of each result: the same for the CUDA, OpenCL and
// C programs. Every input comes from a fixed seed. Sums of floats are of small integers, so that no order of
// additions and no fused operation changes them, except where a comment says so.
#ifndef INPUTS_H
#define INPUTS_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "../bench.h"

static unsigned random_state = 12345;

// 24 random bits.
static unsigned random_bits(void)
{
    random_state = random_state * 1664525u + 1013904223u;
    return random_state >> 8;
}

// A sparse matrix, or a graph with `val` unused, by compressed rows: row `r` is `row[r]` to `row[r + 1]`.
struct csr {
    int n, nnz;
    int *row, *col;
    float *val;
};

// `n` rows of 1 to `most` elements, short ones being more frequent; a row in 64 has eight times as many.
static struct csr csr_random(int n, int most)
{
    struct csr m;
    m.n = n;
    m.row = (int *)malloc((n + 1) * sizeof(int));
    m.col = (int *)malloc((size_t)n * most * 8 * sizeof(int));
    m.val = (float *)malloc((size_t)n * most * 8 * sizeof(float));
    int k = 0;
    for (int r = 0; r < n; r++) {
        m.row[r] = k;
        int a = random_bits() % most, b = random_bits() % most, length = 1 + (a < b ? a : b);
        if (random_bits() % 64 == 0)
            length *= 8;
        for (int i = 0; i < length; i++, k++) {
            m.col[k] = random_bits() % n;
            m.val[k] = (float)(random_bits() % 5) - 2.0f;
        }
    }
    m.row[n] = m.nnz = k;
    return m;
}

static void csr_free(struct csr *m)
{
    free(m->row);
    free(m->col);
    free(m->val);
}

// A vector of `n` small integers.
static float *floats_random(int n)
{
    float *x = (float *)malloc(n * sizeof(float));
    for (int i = 0; i < n; i++)
        x[i] = (float)(random_bits() % 9);
    return x;
}

// The sum of `x`, each with a weight by its place.
static void print_floats(const char *name, const float *x, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += (double)x[i] * (i % 7 + 1);
    printf("%s %.1f\n", name, sum);
}

static void print_ints(const char *name, const int *x, int n)
{
    long long sum = 0;
    for (int i = 0; i < n; i++)
        sum += (long long)x[i] * (i % 7 + 1);
    printf("%s %lld\n", name, sum);
}

#define SPMV_ROWS 262144
#define SPMV_MOST 16

#define SPMV_WIDE_ROWS 32768
#define SPMV_WIDE_MOST 64

#define BFS_VERTICES 131072
#define BFS_MOST 12

#define MANDELBROT_SIZE 512
#define MANDELBROT_MOST 256

#define TRANSPOSE_SIZE 2048

#define GAUSS_SIZE 192

#define CONVOLVE_SIZE 768
#define CONVOLVE_RADIUS 2
#define CONVOLVE_TAPS ((2 * CONVOLVE_RADIUS + 1) * (2 * CONVOLVE_RADIUS + 1))

#define STRINGS_TEXT (1 << 21)
#define STRINGS_PATTERN 8

#define HASH_SLOTS (1 << 20)
#define HASH_KEYS (1 << 19)

#define TREE_NODES (1 << 16)
#define TREE_LOOKUPS (1 << 18)

// A diagonally dominant matrix with its right-hand side as the last column: `n` rows of `n + 1`.
static float *gauss_matrix(int n)
{
    float *a = (float *)malloc((size_t)n * (n + 1) * sizeof(float));
    for (int i = 0; i < n * (n + 1); i++)
        a[i] = (float)(random_bits() % 9) - 4.0f;
    for (int i = 0; i < n; i++)
        a[i * (n + 1) + i] = 8.0f * n;
    return a;
}

// Solves the upper triangle that elimination has left, in double; four digits are what fused operations agree on.
static void print_gauss(const float *a, int n)
{
    double *x = (double *)malloc(n * sizeof(double)), sum = 0.0;
    for (int i = n - 1; i >= 0; i--) {
        double rest = a[i * (n + 1) + n];
        for (int j = i + 1; j < n; j++)
            rest -= a[i * (n + 1) + j] * x[j];
        x[i] = rest / a[i * (n + 1) + i];
        sum += x[i] * (i % 7 + 1);
    }
    printf("gauss %.4f\n", sum);
    free(x);
}

// A text of `n` letters `a` to `c` in runs, so that many places match a part of the pattern.
static char *strings_text(int n)
{
    char *t = (char *)malloc(n + STRINGS_PATTERN);
    for (int i = 0; i < n + STRINGS_PATTERN; i++)
        t[i] = i > 0 && random_bits() % 2 ? t[i - 1] : (char)('a' + random_bits() % 3);
    return t;
}

static const char strings_pattern[STRINGS_PATTERN + 1] = "aabbaacc";

// Keys from 1 on, some of them more than once; 0 is a free slot.
static unsigned *hash_keys(int n)
{
    unsigned *keys = (unsigned *)malloc(n * sizeof(unsigned));
    for (int i = 0; i < n; i++)
        keys[i] = random_bits() % (4 * HASH_KEYS) + 1;
    return keys;
}

// The number and the sum of the keys in the table: where each lies depends on the order of the insertions.
static void print_hash(const unsigned *table)
{
    unsigned long long sum = 0;
    int used = 0;
    for (int i = 0; i < HASH_SLOTS; i++) {
        used += table[i] != 0;
        sum += table[i];
    }
    printf("hash %d %llu\n", used, sum);
}

// A binary search tree in arrays, by insertion of random keys; node 0 is the root, -1 no child.
struct tree {
    int *key, *left, *right;
};

static struct tree tree_random(int n)
{
    struct tree t;
    t.key = (int *)malloc(n * sizeof(int));
    t.left = (int *)malloc(n * sizeof(int));
    t.right = (int *)malloc(n * sizeof(int));
    for (int i = 0; i < n; i++) {
        t.key[i] = random_bits() & 0xfffff;
        t.left[i] = t.right[i] = -1;
        for (int at = 0; i > 0;) {
            int *child = t.key[i] < t.key[at] ? &t.left[at] : &t.right[at];
            if (*child < 0) {
                *child = i;
                break;
            }
            at = *child;
        }
    }
    return t;
}

static int *tree_wanted(int n)
{
    int *wanted = (int *)malloc(n * sizeof(int));
    for (int i = 0; i < n; i++)
        wanted[i] = random_bits() & 0xfffff;
    return wanted;
}

#endif
