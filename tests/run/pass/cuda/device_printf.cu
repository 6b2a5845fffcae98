// printf in kernels: conversions, flags, widths, strings, its return value, and when it comes out.
#include <stdio.h>

__global__ void formats(int n, const char *text) {
    printf("[%d] [%5d] [%-5d] [%05d] [%+d] [% d]\n", n, n, n, n, n, n);
    printf("[%u] [%x] [%X] [%#x] [%o] [%c]\n", 3000000000u, 255, 255, 255, 8, 'A');
    printf("[%f] [%.2f] [%8.3f] [%e] [%g] [%G]\n", 3.14159, 2.71828, -1.5, 12345.678, 0.0001, 1e20);
    printf("[%s] [%10s] [%-10s] [%.3s] [%%]\n", "shared", "right", "left", "truncated");
    printf("[%lld] [%llu] [%ld] [%hd]\n", -5000000000LL, 18446744073709551615ULL, 7L, (short)4);
    printf("[%*d] [%i]\n", 6, 42, -1);
    printf("%s", text);
}

__constant__ char message[16] = "from constant\n";

__global__ void counts(void) {
    int arguments = printf("%d %d\n", 1, 2);
    int none = printf("nothing\n");
    printf("%d %d\n", arguments, none);
}

__global__ void threads(void) {
    if (threadIdx.x == 0) printf("block %d of %d\n", blockIdx.x, gridDim.x);
}

int main() {
    void *text;
    cudaGetSymbolAddress(&text, message);
    formats<<<1, 1>>>(42, (const char *)text);
    counts<<<1, 1>>>();
    printf("the host's line comes first: the device's are buffered\n");
    cudaDeviceSynchronize();
    for (int i = 1; i <= 3; ++i) {
        threads<<<1, 32>>>();
        cudaDeviceSynchronize();
    }
    return 0;
}
