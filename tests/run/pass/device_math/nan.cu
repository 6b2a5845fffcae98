// What is not a number: every operation of the device on binary32 gives one pattern of bits, wherever these are seen;
// what is only copied keeps its own, and so do binary64 and the host. An H100 prints the same.
#include <cmath>
#include <cstdio>
#include <cstring>

__device__ __noinline__ float outside(float x) { return sqrtf(x) + 1.0f; }

__global__ void operations(float* out, unsigned int* bits, double* wide, const float* in) {
    float zero = in[0], infinite = in[32], other = in[33];
    __shared__ float shared[2];
    shared[0] = infinite - infinite;
    shared[1] = other;
    out[0] = infinite * zero;
    out[1] = zero / zero;
    out[2] = fmaf(infinite, zero, other);
    out[3] = sqrtf(-1.0f - zero);
    out[4] = logf(-2.0f - zero);
    out[5] = powf(-2.0f, 0.5f + zero);
    out[6] = fmaxf(other, infinite - infinite);
    float sum = 0;
    for (int i = 0; i < 34; i++)
        sum += in[i];
    out[7] = sum;
    out[8] = outside(-4.0f - zero);
    out[9] = __shfl_sync(1u, infinite - infinite, 0);
    atomicAdd(&out[10], infinite - infinite);
    out[11] = shared[0];
    // From binary64 the sign and the upper bits of the payload stay.
    out[12] = (float)__longlong_as_double(0xfff8100000000000ull + (unsigned int)zero);
    // Copies.
    out[13] = other;
    out[14] = shared[1];
    memcpy(&out[15], &in[33], sizeof *in);
    out[16] = __int_as_float((int)0xffc12345);
    out[17] = NAN;
    bits[0] = __float_as_uint(infinite - infinite);
    bits[1] = __float_as_uint(other + 1.0f);
    bits[2] = __float_as_uint(other);
    bits[3] = signbit(infinite - infinite);
    wide[0] = infinite - infinite;
    wide[1] = (double)infinite - (double)infinite;
    printf("%f %f %f %f\n", infinite - infinite, zero / zero, sqrtf(-1.0f - zero), (double)infinite - (double)infinite);
}

__global__ void lanes(float* out, const float* in) {
    float x = in[threadIdx.x] / in[threadIdx.x];
    out[threadIdx.x] = threadIdx.x % 3 ? x : in[33];
}

int main() {
    float *out, *in;
    unsigned int* bits;
    double* wide;
    cudaMallocManaged(&out, 64 * sizeof *out);
    cudaMallocManaged(&in, 34 * sizeof *in);
    cudaMallocManaged(&bits, 4 * sizeof *bits);
    cudaMallocManaged(&wide, 2 * sizeof *wide);
    memset(in, 0, 34 * sizeof *in);
    in[32] = INFINITY;
    unsigned int pattern = 0xffc12345;
    memcpy(&in[33], &pattern, sizeof pattern);
    out[10] = 1;
    operations<<<1, 1>>>(out, bits, wide, in);
    cudaDeviceSynchronize();
    for (int i = 0; i < 18; i++) {
        memcpy(&pattern, &out[i], sizeof pattern);
        printf("%2d: %08x %f\n", i, pattern, out[i]);
    }
    printf("%08x %08x %08x %u\n", bits[0], bits[1], bits[2], bits[3] != 0);
    for (int i = 0; i < 2; i++) {
        unsigned long long b;
        memcpy(&b, &wide[i], sizeof b);
        printf("%016llx\n", b);
    }
    lanes<<<1, 32>>>(out, in);
    cudaDeviceSynchronize();
    for (int i = 0; i < 4; i++) {
        memcpy(&pattern, &out[i], sizeof pattern);
        printf("lane %d: %08x\n", i, pattern);
    }
    float host = in[32] - in[32];
    memcpy(&pattern, &host, sizeof pattern);
    printf("host: %08x %f\n", pattern, host);
    cudaFree(out);
    cudaFree(in);
    cudaFree(bits);
    cudaFree(wide);
}
