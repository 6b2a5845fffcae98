// Accesses of 1, 2, 4, 8 and 16 bytes side by side, neighbours in one word, copies of structs, atomics on
// half-words: bytes that only one thread touches do not race.
#include <stdio.h>
#include <string.h>

struct Odd {
    char tag;
    short half;
    int word;
    double twice;
};

__device__ char letters[256];
__device__ unsigned short halves[64];

__global__ void apart(char *bytes, Odd *odds, int4 *quads, const Odd *from, char *packed) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    // Eight bytes a thread, by another width for each.
    char *mine = bytes + 8 * i;
    switch (i % 4) {
    case 0: *(long long *)mine = i; break;
    case 1: ((int *)mine)[0] = i, ((int *)mine)[1] = -1; break;
    case 2: for (int k = 0; k < 4; ++k) ((short *)mine)[k] = (short)i; break;
    default: for (int k = 0; k < 8; ++k) mine[k] = (char)i;
    }
    odds[i] = from[i];
    odds[i].half += 1;
    quads[i] = make_int4(i, i, i, i);
    letters[i] = (char)('a' + i % 26);
    atomicCAS(&halves[i], (unsigned short)0, (unsigned short)i);
    // Five bytes a thread, at odd addresses.
    memcpy(packed + 5 * i, "abcde", 5);
}

int main() {
    const int n = 64;
    char *bytes, *packed;
    Odd *odds, *from;
    int4 *quads;
    cudaMallocManaged(&bytes, 8 * n);
    cudaMallocManaged(&packed, 5 * n);
    cudaMallocManaged(&odds, n * sizeof(Odd));
    cudaMallocManaged(&from, n * sizeof(Odd));
    cudaMallocManaged(&quads, n * sizeof(int4));
    for (int i = 0; i < n; ++i) from[i] = Odd{(char)i, (short)i, i, i * 0.5};
    apart<<<4, n / 4>>>(bytes, odds, quads, from, packed);
    cudaDeviceSynchronize();
    printf("%d %d %.1f %d %c\n", bytes[8 * 3], odds[7].half, odds[7].twice, quads[9].w, packed[5 * 63 + 4]);
    cudaFree(bytes);
    cudaFree(packed);
    cudaFree(odds);
    cudaFree(from);
    cudaFree(quads);
    return 0;
}
