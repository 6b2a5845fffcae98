// Large data in global memory, touched in the way that the first argument says; the second one is MiB of data, all
// arrays together. `objects-16` makes live allocations of the host of 16 bytes, the second argument says how many thousands.
// To standard error: `data BYTES`, and `peak KIB`, what the system says of this process.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cuda_runtime.h>

template <typename T>
__global__ void update(T *x, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = x[i] * 2 + 1;
}

template <typename T>
__global__ void copy(const T *in, T *out, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] + 1;
}

// Each thread its own element, none at a multiple of anything.
template <typename T>
__global__ void shifted(T *x, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x + 3;
    if (i < n)
        x[i] = x[i] * 2 + 1;
}

// Each thread its own element, somewhere: `n` is a power of two.
template <typename T>
__global__ void scattered(T *x, unsigned n)
{
    unsigned i = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u % n;
    x[i] = x[i] * 2 + 1;
}

template <typename T>
static void run(const char *how, size_t bytes)
{
    unsigned n = bytes / sizeof(T), blocks = (n + 255) / 256;
    T *x, last;
    cudaMalloc(&x, bytes);
    cudaMemset(x, 1, bytes);
    if (!strcmp(how, "copy")) {
        n /= 2;
        copy<<<(n + 255) / 256, 256>>>(x, x + n, n);
    } else if (!strcmp(how, "shifted")) {
        shifted<<<blocks, 256>>>(x, n);
    } else if (!strcmp(how, "scattered")) {
        scattered<<<blocks, 256>>>(x, n);
    } else {
        update<<<blocks, 256>>>(x, n);
    }
    cudaMemcpy(&last, x + n - 1, sizeof last, cudaMemcpyDeviceToHost);
    printf("%g\n", (double)last);
    cudaFree(x);
}

// So many live allocations: gives their own bytes and those of the pointers to them.
static size_t objects(size_t size, size_t count)
{
    char **all = (char **)malloc(count * sizeof(char *) + 1);
    for (size_t i = 0; i < count; i++) {
        all[i] = (char *)malloc(size);
        *all[i] = 1;
    }
    for (size_t i = 0; i < count; i++)
        free(all[i]);
    free(all);
    return count * (size + sizeof(char *));
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "words-update";
    const char *dash = strchr(what, '-');
    const char *how = dash ? dash + 1 : "update";
    size_t mib = argc > 2 ? atoi(argv[2]) : 1;
    size_t bytes = mib ? mib << 20 : 4096;
    if (what[0] == 'o')
        bytes = objects(atoi(how), mib * 1000);
    else if (what[0] == 'b')
        run<unsigned char>(how, bytes);
    else if (what[0] == 'd')
        run<double>(how, bytes);
    else
        run<unsigned>(how, bytes);
    fprintf(stderr, "data %zu\n", bytes);
    FILE *status = fopen("/proc/self/status", "r");
    char line[256];
    while (status && fgets(line, sizeof line, status))
        if (!strncmp(line, "VmHWM:", 6))
            fprintf(stderr, "peak %d\n", atoi(line + 6));
    if (status)
        fclose(status);
    return 0;
}
