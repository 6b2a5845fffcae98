// The benchmark kernels as plain sequential C, compiled with -O2: what the same result costs one CPU
// core without threads. Usage: scalar NAME
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../kernels/bench.h"

__attribute__((noinline)) static void vecadd(const float *a, const float *b, float *c, int n)
{
    for (int i = 0; i < n; i++)
        c[i] = a[i] + b[i];
}

__attribute__((noinline)) static void reduce(const int *in, int *out, int blocks)
{
    for (int b = 0; b < blocks; b++) {
        int sum = 0;
        for (int i = 0; i < 256; i++)
            sum += in[b * 256 + i];
        out[b] = sum;
    }
}

__attribute__((noinline)) static void matmul(const float *a, const float *b, float *c, int n)
{
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            float sum = 0.0f;
            for (int i = 0; i < n; i++)
                sum += a[y * n + i] * b[i * n + x];
            c[y * n + x] = sum;
        }
}

__attribute__((noinline)) static void histogram(const unsigned *in, unsigned *bins, int n)
{
    for (int i = 0; i < n; i++)
        bins[in[i] & 255]++;
}

static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

__attribute__((noinline)) static void stencil(const float *in, float *out, int n)
{
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++)
            if (x > 0 && y > 0 && x < n - 1 && y < n - 1)
                out[y * n + x] = 0.2f * (in[y * n + x] + in[y * n + x - 1] + in[y * n + x + 1] + in[(y - 1) * n + x] + in[(y + 1) * n + x]);
            else
                out[y * n + x] = in[y * n + x];
}

__attribute__((noinline)) static void nbody(const float *p, float *a, int n)
{
    const float *px = p, *py = p + n, *pz = p + 2 * n;
    for (int i = 0; i < n; i++) {
        float x = px[i], y = py[i], z = pz[i], fx = 0.0f, fy = 0.0f, fz = 0.0f;
        for (int j = 0; j < n; j++) {
            float dx = px[j] - x, dy = py[j] - y, dz = pz[j] - z;
            float d2 = dx * dx + dy * dy + dz * dz + 0.01f;
            float inv = 1.0f / sqrtf(d2);
            float f = inv * inv * inv;
            fx += dx * f;
            fy += dy * f;
            fz += dz * f;
        }
        a[i] = fx;
        a[n + i] = fy;
        a[2 * n + i] = fz;
    }
}

__attribute__((noinline)) static void scan(const int *in, int *out, int n)
{
    for (int b = 0; b < n; b += 512) {
        int sum = 0;
        for (int i = 0; i < 512; i++) {
            out[b + i] = sum;
            sum += in[b + i];
        }
    }
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    if (!strcmp(name, "vecadd")) {
        int n = 1 << 20;
        float *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b), *c = calloc(n, sizeof *c);
        for (int i = 0; i < n; i++) {
            a[i] = (float)(i % 1000);
            b[i] = (float)(i % 77) * 0.5f;
        }
        vecadd(a, b, c, n);
        bench_begin();
        vecadd(a, b, c, n);
        bench_end();
        printf("vecadd %g %g %g\n", c[0], c[n / 2], c[n - 1]);
    } else if (!strcmp(name, "reduce")) {
        int n = 1 << 20, blocks = n / 256;
        int *in = malloc(n * sizeof *in), *out = calloc(blocks, sizeof *out);
        for (int i = 0; i < n; i++)
            in[i] = i % 13;
        bench_begin();
        reduce(in, out, blocks);
        bench_end();
        long long sum = 0;
        for (int i = 0; i < blocks; i++)
            sum += out[i];
        printf("reduce %lld\n", sum);
    } else if (!strcmp(name, "matmul_tiled") || !strcmp(name, "matmul_naive")) {
        int n = 256;
        float *a = malloc(n * n * sizeof *a), *b = malloc(n * n * sizeof *b), *c = calloc(n * n, sizeof *c);
        for (int i = 0; i < n * n; i++) {
            a[i] = (float)(i % 7);
            b[i] = (float)(i % 5) - 2.0f;
        }
        bench_begin();
        matmul(a, b, c, n);
        bench_end();
        double sum = 0.0;
        for (int i = 0; i < n * n; i++)
            sum += c[i] * (i % 11);
        printf("%s %.1f\n", name, sum);
    } else if (!strcmp(name, "histogram")) {
        int n = 1 << 20;
        unsigned *in = malloc(n * sizeof *in), bins[256] = { 0 }, x = 12345;
        for (int i = 0; i < n; i++) {
            x = x * 1664525u + 1013904223u;
            in[i] = x >> 16;
        }
        bench_begin();
        histogram(in, bins, n);
        bench_end();
        unsigned long long sum = 0;
        for (int i = 0; i < 256; i++)
            sum += (unsigned long long)bins[i] * (i + 1);
        printf("histogram %llu\n", sum);
    } else if (!strcmp(name, "bitonic")) {
        int blocks = 512, n = blocks * 256, bad = 0;
        int *h = malloc(n * sizeof *h);
        unsigned x = 1;
        for (int i = 0; i < n; i++) {
            x = x * 1103515245u + 12345u;
            h[i] = (int)(x >> 8) & 0xffff;
        }
        bench_begin();
        for (int b = 0; b < blocks; b++)
            qsort(h + b * 256, 256, sizeof *h, compare);
        bench_end();
        long long sum = 0;
        for (int i = 0; i < n; i++) {
            if (i % 256 && h[i - 1] > h[i])
                bad++;
            sum += (long long)h[i] * (i % 256);
        }
        printf("bitonic %d %lld\n", bad, sum);
    } else if (!strcmp(name, "stencil")) {
        int n = 512;
        float *a = malloc(n * n * sizeof *a), *b = calloc(n * n, sizeof *b);
        for (int i = 0; i < n * n; i++)
            a[i] = (float)(i % 17);
        bench_begin();
        for (int step = 0; step < 4; step++) {
            stencil(a, b, n);
            float *t = a;
            a = b;
            b = t;
        }
        bench_end();
        double sum = 0.0;
        for (int i = 0; i < n * n; i++)
            sum += a[i] * (i % 3);
        printf("stencil %.3f\n", sum);
    } else if (!strcmp(name, "nbody")) {
        int n = 2048;
        float *p = malloc(3 * n * sizeof *p), *a = calloc(3 * n, sizeof *a);
        for (int i = 0; i < 3 * n; i++)
            p[i] = (float)((i * 7919) % 1000) * 0.01f;
        bench_begin();
        nbody(p, a, n);
        bench_end();
        double sum = 0.0;
        for (int i = 0; i < 3 * n; i++)
            sum += a[i] < 0 ? -a[i] : a[i];
        printf("nbody %.1f\n", sum);
    } else if (!strcmp(name, "scan")) {
        int n = 1 << 20;
        int *in = malloc(n * sizeof *in), *out = calloc(n, sizeof *out);
        for (int i = 0; i < n; i++)
            in[i] = i % 9;
        bench_begin();
        scan(in, out, n);
        bench_end();
        long long sum = 0;
        for (int i = 0; i < n; i++)
            sum += (long long)out[i] * (i % 5);
        printf("scan %lld\n", sum);
    } else {
        fprintf(stderr, "no such kernel: %s\n", name);
        return 2;
    }
    return 0;
}
