// Bytes that were never written tell which copies brought them, the last one first, and where the memory was made that they
// come from.
// revisions: copies chain elements kernel
#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void add(const int *in, int *out) {
    out[threadIdx.x] = in[threadIdx.x] + 1; //[copies]~ ERROR uninitialized-read: were copied from `half` (16 bytes from `malloc`), where they were never written
}

__global__ void move(const int *in, int *out) { out[threadIdx.x] = in[threadIdx.x]; }

int main() {
    const int bytes = 4 * sizeof(int);
    int *data, *other;
    cudaMalloc(&data, bytes);
    cudaMalloc(&other, bytes);
#ifdef REV_copies
    // Host memory that is half written, by way of another piece of host memory.
    int *half = (int *)malloc(bytes);
    int whole[4];
    half[0] = half[1] = 1;
    memcpy(whole, half, bytes);
    cudaMemcpy(data, whole, bytes, cudaMemcpyHostToDevice);
    add<<<1, 4>>>(data, other);
    free(half);
#endif
#ifdef REV_chain
    // Device memory that nobody fills, `realloc` behind it.
    int *back = (int *)malloc(bytes);
    cudaMemcpy(back, data, bytes, cudaMemcpyDeviceToHost);
    back = (int *)realloc(back, 2 * bytes);
    if (back[3] == 7) //[chain]~ ERROR uninitialized-read: were copied from `data` (16 bytes from `cudaMalloc`), where they were never written
        puts("seven");
    // What `realloc` added comes from nowhere.
    if (back[6] == 7) //[chain]~ ERROR uninitialized-read: that were never written
        puts("seven");
    free(back);
#endif
#ifdef REV_elements
    // One after the other; what is written behind the copy has no origin.
    struct Pair {
        int first, second;
    };
    Pair from[4], to[4];
    for (int i = 0; i < 4; i++)
        from[i].first = i;
    for (int i = 0; i < 4; i++)
        memcpy(&to[i], &from[i], sizeof(Pair));
    to[0].second = 0;
    printf("%d\n", to[0].second + to[1].first);
    if (to[2].second == 7) //[elements]~ ERROR uninitialized-read: were copied from `from` (32 bytes), where they were never written
        puts("seven");
#endif
#ifdef REV_kernel
    // The copy before is not what brought them: a kernel has carried others there since. Where that loads them is not known.
    int *half = (int *)malloc(bytes);
    cudaMemcpy(other, half, bytes, cudaMemcpyHostToDevice);
    move<<<1, 4>>>(data, other);
    int back[4];
    cudaMemcpy(back, other, bytes, cudaMemcpyDeviceToHost);
    if (back[3] == 7) //[kernel]~ ERROR uninitialized-read: were copied from `other` (16 bytes from `cudaMalloc`), which holds what was never written
        puts("seven");
    free(half);
#endif
    cudaDeviceSynchronize();
    cudaFree(data);
    cudaFree(other);
}
