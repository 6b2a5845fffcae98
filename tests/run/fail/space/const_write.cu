// Writes to constant memory and to a string literal.
// revisions: constant literal copy
#include <stdio.h>

__constant__ int factor = 3;

__global__ void poke(int *p) {
    *p = 4; //[constant]~ ERROR read-only-write
}

int main() {
#if defined(REV_constant)
    void *address;
    cudaGetSymbolAddress(&address, factor);
    poke<<<1, 1>>>((int *)address);
    cudaDeviceSynchronize();
#elif defined(REV_literal)
    char *text = (char *)"constant";
    text[0] = 'C'; //[literal]~ ERROR read-only-write
#else
    char text[] = "constant";
    text[0] = 'C';
    printf("%s\n", text);
#endif
    return 0;
}
