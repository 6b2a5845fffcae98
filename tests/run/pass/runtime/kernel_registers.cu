// The registers of a kernel follow from what is live in it: more values take more of them, launch bounds limit them, and
// the runtime, the driver and the occupancy agree.
#include <cstdio>
#include <cuda.h>

__global__ void few(int *p) { *p += 1; }

__global__ void many(double *p, int n) {
    double a = p[0], b = p[1], c = p[2], d = p[3], e = p[4], f = p[5], g = p[6], h = p[7], i = p[8], j = p[9];
    for (int k = 0; k < n; k++) { a += b; b *= c; c += d; d *= e; e += f; f *= g; g += h; h *= i; i += j; j *= a; }
    p[0] = a; p[1] = b; p[2] = c; p[3] = d; p[4] = e; p[5] = f; p[6] = g; p[7] = h; p[8] = i; p[9] = j;
}

__global__ void __launch_bounds__(1024, 2) bounded(double *p, int n) {
    double a = p[0], b = p[1], c = p[2], d = p[3], e = p[4], f = p[5], g = p[6], h = p[7], i = p[8], j = p[9], l = p[10],
           m = p[11], o = p[12], q = p[13];
    for (int k = 0; k < n; k++) { a += b; b *= c; c += d; d *= e; e += f; f *= g; g += h; h *= i; i += j; j *= l; l += m; m *= o; o += q; q *= a; }
    p[0] = a + b + c + d + e + f + g + h + i + j + l + m + o + q;
}

static int registers(const void *kernel) {
    cudaFuncAttributes a;
    cudaFuncGetAttributes(&a, kernel);
    cudaFunction_t f;
    cudaGetFuncBySymbol(&f, kernel);
    int driver = 0;
    cuFuncGetAttribute(&driver, CU_FUNC_ATTRIBUTE_NUM_REGS, f);
    if (driver != a.numRegs) printf("the driver says %d, the runtime %d\n", driver, a.numRegs);
    return a.numRegs;
}

int main() {
    cuInit(0);
    int least = registers((const void *)few), most = registers((const void *)many);
    printf("%d %d\n", least < 16, most >= 26 && most < 48);
    printf("%d\n", registers((const void *)bounded));
    int blocks_few, blocks_many;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_few, few, 512, 0);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_many, many, 512, 0);
    printf("%d %d\n", blocks_few, blocks_many == 65536 / (512 * ((most + 7) / 8 * 8)));
}
