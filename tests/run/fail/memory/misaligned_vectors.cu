// Vector accesses at addresses that their type does not allow: shifted, in packed structs, in dynamic shared memory; copies by bytes are fine.
// revisions: shifted packed shared store fine
#include <stdio.h>
#include <string.h>

struct __attribute__((packed)) Packed {
    char tag;
    double value;
};

__global__ void kernel(float *in, char *bytes, float4 *out) {
    extern __shared__ char dynamic[];
    int t = threadIdx.x;
#if defined(REV_shifted)
    out[t] = *(float4 *)(in + 4 * t + 1); //[shifted]~ ERROR misaligned-access
#elif defined(REV_packed)
    const double *d = &((Packed *)bytes)[t].value;
    out[t].x = (float)*d; //[packed]~ ERROR misaligned-access
#elif defined(REV_shared)
    int *words = (int *)(dynamic + 2);
    words[t] = t; //[shared]~ ERROR misaligned-access
#elif defined(REV_store)
    *(int2 *)((int *)out + 2 * t + 1) = make_int2(t, t); //[store]~ ERROR misaligned-access
#else
    double d;
    memcpy(&d, &((Packed *)bytes)[t].value, sizeof(d));
    d += ((Packed *)bytes)[t].value;
    int *words = (int *)(dynamic + 4);
    words[t] = t;
    out[t] = *(float4 *)(in + 4 * t);
    out[t].x += (float)d + words[t];
    *(int2 *)((int *)&out[t] + 2) = make_int2(t, t);
#endif
}

int main() {
    float *in;
    char *bytes;
    float4 *out, host[8];
    cudaMalloc(&in, 64 * sizeof(float));
    cudaMalloc(&bytes, 8 * sizeof(Packed));
    cudaMalloc(&out, sizeof(host));
    cudaMemset(in, 0, 64 * sizeof(float));
    cudaMemset(bytes, 0, 8 * sizeof(Packed));
    kernel<<<1, 8, 64>>>(in, bytes, out);
    if (cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost) == cudaSuccess) {
#ifdef REV_fine
        printf("%g %g\n", host[3].x, host[7].y);
#endif
    }
    cudaFree(in);
    cudaFree(bytes);
    cudaFree(out);
    return 0;
}
