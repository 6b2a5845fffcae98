// Runs one of the benchmark kernels through OpenCL (Oclgrind or PoCL), on the data that the CUDA
// programs use, and prints the same line. Usage: opencl NAME kernels.cl [warm]
#include "opencl.h"
#include "../kernels/bench.h"

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    const char *name = argv[1];
    int warm = argc > 3;
    opencl_begin(argv[2]);

    if (!strcmp(name, "vecadd")) {
        int n = 1 << 20;
        size_t bytes = n * sizeof(float);
        float *a = malloc(bytes), *b = malloc(bytes), *c = malloc(bytes);
        for (int i = 0; i < n; i++) {
            a[i] = (float)(i % 1000);
            b[i] = (float)(i % 77) * 0.5f;
        }
        cl_mem da = buffer(bytes, a), db = buffer(bytes, b), dc = buffer(bytes, NULL);
        cl_kernel k = kernel(name);
        arg(k, 0, sizeof da, &da);
        arg(k, 1, sizeof db, &db);
        arg(k, 2, sizeof dc, &dc);
        arg(k, 3, sizeof n, &n);
        MEASURE(, enqueue(k, 1, n, 1, 256, 1));
        read_back(dc, c, bytes);
        printf("vecadd %g %g %g\n", c[0], c[n / 2], c[n - 1]);
    } else if (!strcmp(name, "reduce")) {
        int n = 1 << 20, blocks = n / 256;
        int *in = malloc(n * sizeof(int)), *out = malloc(blocks * sizeof(int));
        for (int i = 0; i < n; i++)
            in[i] = i % 13;
        cl_mem din = buffer(n * sizeof(int), in), dout = buffer(blocks * sizeof(int), NULL);
        cl_kernel k = kernel(name);
        arg(k, 0, sizeof din, &din);
        arg(k, 1, sizeof dout, &dout);
        MEASURE(, enqueue(k, 1, n, 1, 256, 1));
        read_back(dout, out, blocks * sizeof(int));
        long long sum = 0;
        for (int i = 0; i < blocks; i++)
            sum += out[i];
        printf("reduce %lld\n", sum);
    } else if (!strcmp(name, "matmul_tiled") || !strcmp(name, "matmul_naive")) {
        int n = 256;
        size_t bytes = (size_t)n * n * sizeof(float);
        float *a = malloc(bytes), *b = malloc(bytes), *c = malloc(bytes);
        for (int i = 0; i < n * n; i++) {
            a[i] = (float)(i % 7);
            b[i] = (float)(i % 5) - 2.0f;
        }
        cl_mem da = buffer(bytes, a), db = buffer(bytes, b), dc = buffer(bytes, NULL);
        cl_kernel k = kernel(name);
        arg(k, 0, sizeof da, &da);
        arg(k, 1, sizeof db, &db);
        arg(k, 2, sizeof dc, &dc);
        arg(k, 3, sizeof n, &n);
        MEASURE(, enqueue(k, 2, n, n, 16, 16));
        read_back(dc, c, bytes);
        double sum = 0.0;
        for (int i = 0; i < n * n; i++)
            sum += c[i] * (i % 11);
        printf("%s %.1f\n", name, sum);
    } else if (!strcmp(name, "histogram")) {
        int n = 1 << 20;
        unsigned *in = malloc(n * sizeof(unsigned)), bins[256] = { 0 }, x = 12345;
        for (int i = 0; i < n; i++) {
            x = x * 1664525u + 1013904223u;
            in[i] = x >> 16;
        }
        cl_mem din = buffer(n * sizeof(unsigned), in), dbins = buffer(sizeof bins, bins);
        cl_kernel k = kernel(name);
        arg(k, 0, sizeof din, &din);
        arg(k, 1, sizeof dbins, &dbins);
        arg(k, 2, sizeof n, &n);
        MEASURE(check(clEnqueueWriteBuffer(queue, dbins, CL_TRUE, 0, sizeof bins, bins, 0, NULL, NULL), "reset"),
                enqueue(k, 1, 64 * 256, 1, 256, 1));
        read_back(dbins, bins, sizeof bins);
        unsigned long long sum = 0;
        for (int i = 0; i < 256; i++)
            sum += (unsigned long long)bins[i] * (i + 1);
        printf("histogram %llu\n", sum);
    } else if (!strcmp(name, "bitonic")) {
        int blocks = 512, n = blocks * 256, bad = 0;
        int *h = malloc(n * sizeof(int));
        unsigned x = 1;
        for (int i = 0; i < n; i++) {
            x = x * 1103515245u + 12345u;
            h[i] = (int)(x >> 8) & 0xffff;
        }
        cl_mem d = buffer(n * sizeof(int), h);
        cl_kernel k = kernel(name);
        arg(k, 0, sizeof d, &d);
        MEASURE(check(clEnqueueWriteBuffer(queue, d, CL_TRUE, 0, n * sizeof(int), h, 0, NULL, NULL), "reset"),
                enqueue(k, 1, n, 1, 256, 1));
        read_back(d, h, n * sizeof(int));
        long long sum = 0;
        for (int i = 0; i < n; i++) {
            if (i % 256 && h[i - 1] > h[i])
                bad++;
            sum += (long long)h[i] * (i % 256);
        }
        printf("bitonic %d %lld\n", bad, sum);
    } else if (!strcmp(name, "stencil")) {
        int n = 512;
        size_t bytes = (size_t)n * n * sizeof(float);
        float *h = malloc(bytes);
        for (int i = 0; i < n * n; i++)
            h[i] = (float)(i % 17);
        cl_mem a = buffer(bytes, h), b = buffer(bytes, NULL);
        cl_kernel k = kernel(name);
        arg(k, 0, sizeof a, &a);
        arg(k, 1, sizeof b, &b);
        arg(k, 2, sizeof n, &n);
        if (warm) {
            enqueue(k, 2, n, n, 32, 8);
            check(clFinish(queue), "warm");
        }
        bench_begin();
        for (int step = 0; step < 4; step++) {
            arg(k, 0, sizeof a, &a);
            arg(k, 1, sizeof b, &b);
            enqueue(k, 2, n, n, 32, 8);
            cl_mem t = a;
            a = b;
            b = t;
        }
        check(clFinish(queue), "finish");
        bench_end();
        read_back(a, h, bytes);
        double sum = 0.0;
        for (int i = 0; i < n * n; i++)
            sum += h[i] * (i % 3);
        printf("stencil %.3f\n", sum);
    } else if (!strcmp(name, "nbody")) {
        int n = 2048;
        size_t bytes = n * sizeof(float);
        float *h = malloc(3 * bytes);
        for (int i = 0; i < 3 * n; i++)
            h[i] = (float)((i * 7919) % 1000) * 0.01f;
        cl_mem d[6];
        cl_kernel k = kernel(name);
        for (int i = 0; i < 6; i++) {
            d[i] = buffer(bytes, i < 3 ? h + i * n : NULL);
            arg(k, i, sizeof d[i], &d[i]);
        }
        arg(k, 6, sizeof n, &n);
        MEASURE(, enqueue(k, 1, n, 1, 256, 1));
        for (int i = 0; i < 3; i++)
            read_back(d[3 + i], h + i * n, bytes);
        double sum = 0.0;
        for (int i = 0; i < 3 * n; i++)
            sum += h[i] < 0 ? -h[i] : h[i];
        printf("nbody %.1f\n", sum);
    } else if (!strcmp(name, "scan")) {
        int n = 1 << 20;
        int *h = malloc(n * sizeof(int));
        for (int i = 0; i < n; i++)
            h[i] = i % 9;
        cl_mem din = buffer(n * sizeof(int), h), dout = buffer(n * sizeof(int), NULL);
        cl_kernel k = kernel(name);
        arg(k, 0, sizeof din, &din);
        arg(k, 1, sizeof dout, &dout);
        MEASURE(, enqueue(k, 1, n / 2, 1, 256, 1));
        read_back(dout, h, n * sizeof(int));
        long long sum = 0;
        for (int i = 0; i < n; i++)
            sum += (long long)h[i] * (i % 5);
        printf("scan %lld\n", sum);
    } else {
        fprintf(stderr, "no such kernel: %s\n", name);
        return 2;
    }
    return 0;
}
