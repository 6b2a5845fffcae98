// Brackets of a launch in pieces, beside the same signs in literals and comments, which stay as they are.
#include <cstdio>
__global__ void k(int *p) { *p = 3; }
int main() { std::puts("<< <x>> >"); int *d, h; cudaMalloc(&d, 4); k<< <1, 1>> >(d); cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost); /* k<< <1, 2>> > */ std::printf("%d %s\n", h, R"(<< <1>> >)"); cudaFree(d); }
