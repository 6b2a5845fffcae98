// Launches as large as the device allows, and what they may use.
#include <cstdio>

__global__ void corner(int *out) {
    if (threadIdx.x == blockDim.x - 1 && threadIdx.y == blockDim.y - 1 && threadIdx.z == blockDim.z - 1)
        out[0] = blockDim.x * 10000 + blockDim.y * 100 + blockDim.z;
}

extern __shared__ int room[];
__global__ void shared(int *out, int n) {
    room[n - 1] = n;
    out[0] = room[n - 1];
}

__global__ void far(int *out) {
    if (blockIdx.y == gridDim.y - 1 || blockIdx.z == gridDim.z - 1) atomicAdd(out, 1);
}

static void say(const char *what, int *out) {
    cudaError_t e = cudaDeviceSynchronize();
    printf("%s %d %s\n", what, out[0], cudaGetErrorString(e));
}

int main() {
    int *out;
    cudaMallocManaged(&out, sizeof(int));
    corner<<<1, 1024>>>(out);
    say("row", out);
    corner<<<1, dim3(16, 1, 64)>>>(out);
    say("deep", out);
    corner<<<1, dim3(1, 1024)>>>(out);
    say("tall", out);
    shared<<<1, 1, 48 << 10>>>(out, 12 << 10);
    say("shared", out);
    cudaFuncSetAttribute(shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 << 10);
    shared<<<1, 1, 64 << 10>>>(out, 16 << 10);
    say("more", out);
    out[0] = 0;
    far<<<dim3(1, 65535), 1>>>(out);
    far<<<dim3(1, 1, 65535), 1>>>(out);
    say("far", out);
    cudaFree(out);
}
