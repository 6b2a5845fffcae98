// Accesses that are not aligned as their type asks. Near misses: at multiples of the alignment, and bytes that are copied.
// flags: --verdicts
#include <cstring>

__global__ void from_the_second(float4 *out, const float *in) {
    out[threadIdx.x] = *(const float4 *)(in + 4 * threadIdx.x + 1); //~ ERROR misaligned-access: of what `in` points to, which is not a multiple of 16
}

__global__ void from_the_fifth(float4 *out, const float *in) {
    out[threadIdx.x] = *(const float4 *)(in + 4 * threadIdx.x + 4);
}

// The host passes what is aligned for a float only.
__global__ void passed(float4 *out, const float4 *in) {
    out[threadIdx.x] = in[threadIdx.x]; //~ ERROR misaligned-access: of what `in` points to, which is not a multiple of 16
}

__global__ void passed_well(float4 *out, const float4 *in) {
    out[threadIdx.x] = in[threadIdx.x];
}

// Every other row of three begins at an odd place.
__global__ void rows(float2 *out, const float *in, int width) {
    out[threadIdx.x] = *(const float2 *)(in + threadIdx.x * width); //~ ERROR misaligned-access: of what `in` points to, which is not a multiple of 8
}

__global__ void even_rows(float2 *out, const float *in, int width) {
    out[threadIdx.x] = *(const float2 *)(in + threadIdx.x * width);
}

__global__ void in_shared(int *out) {
    __shared__ char bytes[64 * 4 + 4];
    *(int *)(bytes + threadIdx.x * 4 + 2) = 1; //~ ERROR misaligned-access: of `bytes`, which is not a multiple of 4
    __syncthreads();
    memcpy(out + threadIdx.x, bytes + threadIdx.x * 4 + 2, 4);
}

__global__ void by_data(int *out, const char *bytes, const int *where) {
    int at = where[threadIdx.x];
    if (unsigned(at) < 256)
        out[threadIdx.x] = *(const int *)(bytes + at); //~ WARNING misaligned-access: a thread may touch bytes of what `bytes` points to at an address that is not a multiple of 4
}

__global__ void by_rounded_data(int *out, const char *bytes, const int *where) {
    int at = where[threadIdx.x];
    if (unsigned(at) < 256)
        out[threadIdx.x] = *(const int *)(bytes + (at & ~3));
}

int main() {
    float *in;
    float4 *out;
    int *where;
    cudaMalloc(&in, 4096);
    cudaMalloc(&out, 1024);
    cudaMalloc(&where, 256);
    from_the_second<<<1, 63>>>(out, in);
    from_the_fifth<<<1, 63>>>(out, in);
    passed<<<1, 63>>>(out, (float4 *)(in + 2));
    passed_well<<<1, 63>>>(out, (float4 *)(in + 4));
    rows<<<1, 63>>>((float2 *)out, in, 3);
    even_rows<<<1, 63>>>((float2 *)out, in, 6);
    in_shared<<<1, 64>>>((int *)out);
    by_data<<<1, 64>>>((int *)out, (char *)in, where);
    by_rounded_data<<<1, 64>>>((int *)out, (char *)in, where);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    cudaFree(where);
    return 0;
}
