// Near misses of tests/check/pass/races/texels.cu.
// flags: --strict
#include <cuda_runtime.h>

// A neighbour's texel is read while its thread writes it.
__global__ void in_place(cudaSurfaceObject_t s, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && x < w && y < h) {
        float left = surf2Dread<float>(s, (x - 1) * 4, y);
        surf2Dwrite(left, s, x * 4, y); //~ ERROR global-race
    }
}

// Texels of 16 bytes, 4 bytes apart.
__global__ void overlap(cudaSurfaceObject_t s, float4 v) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    surf1Dwrite(v, s, x * 4); //~ ERROR global-race
}

// What is outside is led to the last texel.
__global__ void clamped(cudaSurfaceObject_t s) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    surf1Dwrite(1.0f, s, x * 4, cudaBoundaryModeClamp); //~ ERROR global-race
}

// One row for all.
__global__ void rows(cudaSurfaceObject_t s) {
    surf2Dwrite(1.0f, s, threadIdx.x * 4, blockIdx.x / 2); //~ ERROR global-race
}

// Which surface it is hangs on the thread.
__global__ void one_of(cudaSurfaceObject_t a, cudaSurfaceObject_t b) {
    surf1Dwrite((int)threadIdx.x, threadIdx.x & 1 ? a : b, 0); //~ ERROR global-race
}

// What a texture holds is the place.
__global__ void scatter(float *out, cudaTextureObject_t t) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    out[tex1Dfetch<int>(t, x)] = x; //~ ERROR global-race
}

// Threads read different texels.
__global__ void part(int *out, cudaTextureObject_t t) {
    if (tex1Dfetch<int>(t, threadIdx.x)) __syncthreads(); //~ ERROR barrier-divergence
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
