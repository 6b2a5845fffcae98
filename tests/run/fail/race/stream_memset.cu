// A kernel that reads what a fill in another stream writes: the race is told, and not that the memory was never written.
// revisions: race copy ordered never
#include <stdio.h>

__global__ void sum(const int *v, int *out) {
    int s = 0;
    for (int i = 0; i < 32; i++)
        s += v[i]; //[race]~ ERROR global-race: `cudaMemsetAsync` in stream 2 writes
    //[copy]~^ ERROR global-race: `cudaMemcpyAsync` in stream 2 writes
    //[never]~^^ ERROR uninitialized-read
    *out = s;
}

int main() {
    int *v, *out, host[32] = {1, 2, 3}, s = 0;
    cudaStream_t a, b;
    cudaEvent_t done;
    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
    cudaEventCreate(&done);
    cudaMallocManaged(&v, sizeof(host));
    cudaMalloc(&out, sizeof(int));
#if defined(REV_race)
    sum<<<1, 1, 0, a>>>(v, out); //[race]~ RELATED global-race
    cudaMemsetAsync(v, 0, sizeof(host), b); //[race]~ RELATED global-race
#elif defined(REV_copy)
    sum<<<1, 1, 0, a>>>(v, out); //[copy]~ RELATED global-race
    cudaMemcpyAsync(v, host, sizeof(host), cudaMemcpyHostToDevice, b); //[copy]~ RELATED global-race
#elif defined(REV_ordered)
    cudaMemsetAsync(v, 0, sizeof(host), b);
    cudaEventRecord(done, b);
    cudaStreamWaitEvent(a, done, 0);
    sum<<<1, 1, 0, a>>>(v, out);
#else
    sum<<<1, 1, 0, a>>>(v, out);
#endif
    cudaDeviceSynchronize();
#ifdef REV_ordered
    cudaMemcpy(&s, out, sizeof(s), cudaMemcpyDeviceToHost);
    printf("%d\n", s);
#endif
    cudaFree(v);
    cudaFree(out);
    cudaEventDestroy(done);
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
    return s;
}
