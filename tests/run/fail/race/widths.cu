// Accesses of different widths meet in one byte.
// revisions: bytes half wide copy
#include <string.h>

struct Pair {
    int a;
    char b[4];
};

__device__ long long wide[2];
__device__ Pair pairs[2];

__global__ void meet(char *out) {
    char *raw = (char *)wide;
    if (blockIdx.x == 0) {
#ifdef REV_copy
        Pair p = {1, {2, 3, 4, 5}};
        pairs[1] = p; //[copy]~ RELATED global-race
#elif defined(REV_half)
        atomicAdd((unsigned *)raw + 1, 1u); //[half]~ RELATED global-race
#else
        wide[0] = 7;
        //[bytes]~^ RELATED global-race
        //[wide]~^^ RELATED global-race
#endif
    } else {
#ifdef REV_bytes
        out[0] = raw[7]; //[bytes]~ ERROR global-race: touch the same 1 byte
        raw[8] = 1;
#elif defined(REV_half)
        out[0] = *(short *)(raw + 2);
        out[1] = *(short *)(raw + 6); //[half]~ ERROR global-race: touch the same 2 bytes
#elif defined(REV_wide)
        memcpy(out, raw + 3, 10); //[wide]~ ERROR global-race
#else
        out[0] = pairs[1].b[2]; //[copy]~ ERROR global-race: touch the same 1 byte
        out[1] = pairs[0].b[3];
#endif
    }
}

int main() {
    char *out;
    cudaMalloc(&out, 16);
    meet<<<2, 1>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
    return 0;
}
