// Conversions that a device's printf has not: it prints them as they stand, and so does an H100.
// revisions: size precision length fine
#include <cstdio>

__global__ void k(size_t n, double x) {
#if defined(REV_size)
    printf("[%zu]\n", n); //[size]~ WARNING undefined-behavior: has no `%zu`
#elif defined(REV_precision)
    printf("[%.*f]\n", 2, x); //[precision]~ WARNING undefined-behavior: has no `%.*f`
#elif defined(REV_length)
    printf("[%Lf]\n", x); //[length]~ WARNING undefined-behavior: has no `%Lf`
#else
    printf("[%*d] [%llu] [%.2f] [%5s] [%%]\n", 4, 7, (unsigned long long)n, x, "ab");
#endif
}

int main() {
    k<<<1, 1>>>(5, 1.5);
    cudaDeviceSynchronize();
    printf("%zu\n", sizeof(int));
}
