/* A GPU's results of the mathematical functions, for `tools/ulp/measure.c`.

       gpu FOLDER    for every function of functions.h: reads FOLDER/NAME.inputs, writes FOLDER/NAME.gpu

   Inputs are tuples of four doubles and an integer, results the bits as 64-bit words, as in measure.c and
   vm/math/examples/device_math.rs. */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

struct Tuple {
    double a[4];
    int n;
};

static __device__ uint64_t bits(float x) { return (unsigned)__float_as_int(x); }
static __device__ uint64_t bits(double x) { return (uint64_t)__double_as_longlong(x); }

#define s1_CALL(F) F((float)t.a[0])
#define s2_CALL(F) F((float)t.a[0], (float)t.a[1])
#define s3_CALL(F) F((float)t.a[0], (float)t.a[1], (float)t.a[2])
#define s4_CALL(F) F((float)t.a[0], (float)t.a[1], (float)t.a[2], (float)t.a[3])
#define si_CALL(F) F((float)t.a[0], t.n)
#define sn_CALL(F) F(t.n, (float)t.a[0])
#define d1_CALL(F) F(t.a[0])
#define d2_CALL(F) F(t.a[0], t.a[1])
#define d3_CALL(F) F(t.a[0], t.a[1], t.a[2])
#define d4_CALL(F) F(t.a[0], t.a[1], t.a[2], t.a[3])
#define di_CALL(F) F(t.a[0], t.n)
#define dn_CALL(F) F(t.n, t.a[0])

#define F(K, NAME, L, REF, LOW, HIGH, BOUND)                              \
    __global__ void kernel_##NAME(const Tuple *in, uint64_t *out, int n) { \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                     \
        if (i >= n) return;                                                \
        Tuple t = in[i];                                                   \
        out[i] = bits(K##_CALL(NAME));                                     \
    }
#include "functions.h"
#undef F

struct Function {
    const char *name;
    void (*kernel)(const Tuple *, uint64_t *, int);
};
static const Function FUNCTIONS[] = {
#define F(K, NAME, L, REF, LOW, HIGH, BOUND) {#NAME, kernel_##NAME},
#include "functions.h"
#undef F
};

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    for (const Function &f : FUNCTIONS) {
        std::string base = std::string(argv[1]) + "/" + f.name;
        FILE *file = fopen((base + ".inputs").c_str(), "rb");
        if (!file) continue;
        std::vector<Tuple> tuples;
        unsigned char packed[36];
        while (fread(packed, 36, 1, file) == 1) {
            Tuple t;
            memcpy(t.a, packed, 32), memcpy(&t.n, packed + 32, 4);
            tuples.push_back(t);
        }
        fclose(file);
        Tuple *in;
        uint64_t *out;
        int n = (int)tuples.size();
        if (cudaMalloc(&in, n * sizeof *in) || cudaMalloc(&out, n * sizeof *out)) return 1;
        cudaMemcpy(in, tuples.data(), n * sizeof *in, cudaMemcpyHostToDevice);
        f.kernel<<<(n + 255) / 256, 256>>>(in, out, n);
        std::vector<uint64_t> results(n);
        cudaError_t error = cudaMemcpy(results.data(), out, n * sizeof *out, cudaMemcpyDeviceToHost);
        if (error) {
            fprintf(stderr, "%s: %s\n", f.name, cudaGetErrorString(error));
            return 1;
        }
        file = fopen((base + ".gpu").c_str(), "wb");
        if (!file || fwrite(results.data(), 8, n, file) != (size_t)n || fclose(file)) return 1;
        cudaFree(in), cudaFree(out);
    }
    return 0;
}
