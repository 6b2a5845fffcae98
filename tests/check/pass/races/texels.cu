// Textures show what the launch does not write; surfaces are memory of their own, a texel at each place.
// flags: --strict
#include <cuda_runtime.h>

__global__ void sample(float *out, int w, int h, cudaTextureObject_t t) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) out[y * w + x] = tex2D<float>(t, x + 0.5f, y + 0.5f);
}

// A texel is an aggregate.
__global__ void fetch(float4 *out, cudaTextureObject_t t) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    out[x] = tex1Dfetch<float4>(t, x);
}

// Equal texels lead all threads of a block the same way.
__global__ void meet(int *out, cudaTextureObject_t t) {
    if (tex1Dfetch<int>(t, blockIdx.x)) __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

// Two surfaces.
__global__ void blur(cudaSurfaceObject_t in, cudaSurfaceObject_t out, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && x < w - 1 && y < h) {
        float left = surf2Dread<float>(in, (x - 1) * 4, y), right = surf2Dread<float>(in, (x + 1) * 4, y);
        surf2Dwrite(left + right, out, x * 4, y);
    }
}

// Each thread changes a texel of its own.
__global__ void own(cudaSurfaceObject_t s, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) {
        float4 v = surf2Dread<float4>(s, x * 16, y);
        v.x += 1;
        surf2Dwrite(v, s, x * 16, y);
    }
}

// Layers are apart.
__global__ void layers(cudaSurfaceObject_t s) {
    surf2DLayeredwrite((short)1, s, threadIdx.x * 2, threadIdx.y, blockIdx.x, cudaBoundaryModeZero);
}
