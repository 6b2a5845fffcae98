// String matching: a thread tries the pattern at each place and stops at the first letter that differs.
#include <cuda_runtime.h>
#include "inputs.h"

__global__ void strings(const char *text, const char *pattern, int n, int length, int *found)
{
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at < n) {
        int i = 0;
        while (i < length && text[at + i] == pattern[i])
            i++;
        if (i == length)
            atomicAdd(found, at % 1000 + 1);
    }
}

int main(void)
{
    int n = STRINGS_TEXT, zero = 0, result, *found;
    char *t = strings_text(n), *text, *pattern;
    cudaMalloc(&text, n + STRINGS_PATTERN);
    cudaMalloc(&pattern, STRINGS_PATTERN);
    cudaMalloc(&found, sizeof(int));
    cudaMemcpy(text, t, n + STRINGS_PATTERN, cudaMemcpyHostToDevice);
    cudaMemcpy(pattern, strings_pattern, STRINGS_PATTERN, cudaMemcpyHostToDevice);
    BENCH {
        cudaMemcpy(found, &zero, sizeof zero, cudaMemcpyHostToDevice);
        bench_begin();
        strings<<<n / 256, 256>>>(text, pattern, n, STRINGS_PATTERN, found);
        cudaDeviceSynchronize();
        bench_end();
    }
    cudaMemcpy(&result, found, sizeof result, cudaMemcpyDeviceToHost);
    print_ints("strings", &result, 1);
    cudaFree(text);
    cudaFree(pattern);
    cudaFree(found);
    free(t);
    return 0;
}
