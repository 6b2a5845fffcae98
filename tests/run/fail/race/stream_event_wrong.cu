// An event that is missing, recorded too early, of another stream, or waited for too late.
// revisions: right missing early stream late
#include <stdio.h>

#define N 64

__global__ void fill(int *p, int v) {
    p[threadIdx.x] = v;
    //[missing]~^ RELATED global-race
    //[early]~^^ RELATED global-race
    //[stream]~^^^ RELATED global-race
    //[late]~^^^^ RELATED global-race
}

__global__ void use(int *out, const int *p) {
    out[threadIdx.x] = p[N - 1 - threadIdx.x];
    //[missing]~^ ERROR global-race: `use` in stream 2 reads 4 bytes of `p` that `fill` in stream 1 writes
    //[early]~^^ ERROR global-race: nothing orders the two
    //[stream]~^^^ ERROR global-race
    //[late]~^^^^ ERROR global-race
}

int main() {
    int *p, *out, host[N];
    cudaStream_t s, t, u;
    cudaEvent_t done;
    cudaMalloc(&p, N * sizeof(int));
    cudaMalloc(&out, N * sizeof(int));
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    cudaStreamCreate(&u);
    cudaEventCreate(&done);
#ifdef REV_early
    cudaEventRecord(done, s);
#endif
    fill<<<1, N, 0, s>>>(p, 3);
    //[missing]~^ RELATED global-race
    //[early]~^^ RELATED global-race
    //[stream]~^^^ RELATED global-race
    //[late]~^^^^ RELATED global-race
#if defined REV_right || defined REV_late
    cudaEventRecord(done, s);
#endif
#ifdef REV_stream
    cudaEventRecord(done, u);
#endif
#if !defined REV_missing && !defined REV_late
    cudaStreamWaitEvent(t, done, 0);
#endif
    use<<<1, N, 0, t>>>(out, p);
    //[missing]~^ RELATED global-race
    //[early]~^^ RELATED global-race
    //[stream]~^^^ RELATED global-race
    //[late]~^^^^ RELATED global-race
#ifdef REV_late
    cudaStreamWaitEvent(t, done, 0);
#endif
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\n", host[0]);
    cudaFree(p);
    cudaFree(out);
    return 0;
}
