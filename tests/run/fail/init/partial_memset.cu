// A fill or a copy that is too short leaves the rest unwritten: elements for bytes, one row of many, a struct's tail.
// revisions: elements rows copy fine
#include <stdio.h>

__global__ void sum(const int *v, int n, int *out) {
    int s = 0;
    for (int i = 0; i < n; i++)
        s += v[i]; //[elements]~ ERROR uninitialized-read
    //[copy]~^ ERROR uninitialized-read
    *out = s;
}

__global__ void columns(const char *p, size_t pitch, int *out) {
    int s = 0;
    for (int y = 0; y < 4; y++)
        s += ((const int *)(p + y * pitch))[threadIdx.x]; //[rows]~ ERROR uninitialized-read
    out[threadIdx.x] = s;
}

int main() {
    int *v, *out, host[16] = {1, 2, 3}, result;
    char *p;
    size_t pitch;
    cudaMalloc(&v, 16 * sizeof(int));
    cudaMalloc(&out, 8 * sizeof(int));
    cudaMallocPitch(&p, &pitch, 8 * sizeof(int), 4);
#if defined(REV_elements)
    cudaMemset(v, 0, 16);
#elif defined(REV_copy)
    cudaMemcpy(v, host, 15 * sizeof(int), cudaMemcpyHostToDevice);
#else
    cudaMemset(v, 0, 16 * sizeof(int));
#endif
#if defined(REV_rows)
    cudaMemset(p, 0, 8 * sizeof(int));
#else
    cudaMemset2D(p, pitch, 0, 8 * sizeof(int), 4);
#endif
    sum<<<1, 1>>>(v, 16, out);
    columns<<<1, 8>>>(p, pitch, out);
    cudaMemset(v, 1, 5);
    sum<<<1, 1>>>(v, 2, out);
    if (cudaMemcpy(&result, out, sizeof(int), cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
#ifdef REV_fine
    printf("%d\n", result);
#endif
    cudaFree(v);
    cudaFree(out);
    cudaFree(p);
    return host[0] - 1;
}
