// Launches that are right as far as is known, but of which not all was looked at: few are proved by the run.
// by-run: often the race detector did not compare all accesses
// by-run: seldom proved
// by-run: frees suspected races could not be looked at in a second run
// by-run: child a kernel launched it
// by-run: parent a kernel is launched here
// by-run: meets a barrier of a cluster is not followed
// by-run: fetches an address depends on the texel read at line 50
// by-run: copies proved
#include <cooperative_groups.h>
#include <cstdio>

__device__ void exchange(int *p, int *out, int times) {
    int t = threadIdx.x, sum = 0;
    for (int i = 0; i < times; i++) {
        p[t] = i;
        __syncwarp();
        sum += p[t ^ 1];
        __syncwarp();
    }
    out[t] = sum;
}
// Accesses that `__syncwarp` orders are suspected; of a place with many, only those to some words are compared.
__global__ void often(int *p, int *out) { exchange(p, out, 100); }
__global__ void seldom(int *p, int *out) { exchange(p, out, 5); }

// A launch that frees more than is kept does not run again.
__global__ void frees(int *p, int *out) {
    if (threadIdx.x == 0) {
        void *much = malloc(300 << 20);
        free(much);
    }
    __syncthreads();
    exchange(p, out, 5);
}

__global__ void child(int *p) { p[threadIdx.x] = 1; }
__global__ void parent(int *p) {
    if (threadIdx.x == 0) child<<<1, 32>>>(p);
}

__global__ void __cluster_dims__(2) meets(int *p) {
    auto cluster = cooperative_groups::this_cluster();
    p[blockIdx.x * 32 + threadIdx.x] = 1;
    cluster.sync();
    p[(1 - blockIdx.x) * 32 + threadIdx.x] = 2;
}

__global__ void fetches(cudaTextureObject_t texture, int *p) {
    p[tex1Dfetch<int>(texture, threadIdx.x)] = 1;
}

__global__ void copies(cudaTextureObject_t texture, int *p) { p[threadIdx.x] = tex1Dfetch<int>(texture, threadIdx.x); }

int main() {
    int *p, *out;
    cudaDeviceSetLimit(cudaLimitMallocHeapSize, 512 << 20);
    cudaMalloc(&p, 1024 * sizeof(int));
    cudaMalloc(&out, 1024 * sizeof(int));
    int h[1024];
    for (int i = 0; i < 1024; i++) h[i] = i;
    cudaMemcpy(p, h, sizeof h, cudaMemcpyHostToDevice);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = p;
    resource.res.linear.desc = cudaCreateChannelDesc<int>();
    resource.res.linear.sizeInBytes = sizeof h;
    cudaTextureDesc how = {};
    cudaTextureObject_t texture;
    cudaCreateTextureObject(&texture, &resource, &how, nullptr);
    fetches<<<1, 32>>>(texture, out);
    copies<<<1, 32>>>(texture, out);
    often<<<1, 1024>>>(p, out);
    seldom<<<1, 1024>>>(p, out);
    frees<<<1, 64>>>(p, out);
    parent<<<1, 32>>>(p);
    meets<<<2, 32>>>(p);
    cudaDeviceSynchronize();
    cudaDestroyTextureObject(texture);
    cudaFree(p);
    cudaFree(out);
    return 0;
}
