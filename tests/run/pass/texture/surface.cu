// Surfaces: writes and reads by bytes, boundary modes, layers, and what a texture then sees of them.
#include <cstdio>
#include <cstring>

__global__ void fill(cudaSurfaceObject_t s, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        surf2Dwrite(make_float2(x, y * 10.0f), s, x * (int)sizeof(float2), y);
}
__global__ void smooth(cudaTextureObject_t t, float* out) {
    float2 v = tex2D<float2>(t, 1.0f + threadIdx.x, 1.5f);
    out[2 * threadIdx.x] = v.x;
    out[2 * threadIdx.x + 1] = v.y;
}
__global__ void edges(cudaSurfaceObject_t s) {
    float2 v = surf2Dread<float2>(s, -8, 2, cudaBoundaryModeClamp), w;
    surf2Dread(&w, s, 8, 100, cudaBoundaryModeZero);
    surf2Dwrite(make_float2(99, 99), s, 8000, 0, cudaBoundaryModeZero);
    printf("%g %g %g %g\n", v.x, v.y, w.x, w.y);
}
__global__ void stack(cudaSurfaceObject_t s, int layers) {
    for (int layer = 0; layer < layers; layer++)
        surf2DLayeredwrite(layer * 100 + (int)threadIdx.x, s, threadIdx.x * 4, 0, layer);
}

int main() {
    cudaArray_t array;
    cudaChannelFormatDesc pair = cudaCreateChannelDesc<float2>();
    cudaMallocArray(&array, &pair, 20, 10, cudaArraySurfaceLoadStore);
    cudaResourceDesc r;
    memset(&r, 0, sizeof r);
    r.resType = cudaResourceTypeArray;
    r.res.array.array = array;
    cudaSurfaceObject_t s;
    cudaCreateSurfaceObject(&s, &r);
    fill<<<dim3(2, 2), dim3(16, 8)>>>(s, 20, 10);
    cudaTextureDesc d;
    memset(&d, 0, sizeof d);
    d.addressMode[0] = d.addressMode[1] = cudaAddressModeClamp;
    d.filterMode = cudaFilterModeLinear;
    cudaTextureObject_t t;
    cudaCreateTextureObject(&t, &r, &d, NULL);
    float* out;
    cudaMallocManaged(&out, 6 * sizeof(float));
    smooth<<<1, 3>>>(t, out);
    edges<<<1, 1>>>(s);
    cudaDeviceSynchronize();
    for (int i = 0; i < 6; i++)
        printf("%g ", out[i]);
    printf("\n");
    cudaDestroyTextureObject(t);
    cudaDestroySurfaceObject(s);
    cudaFreeArray(array);

    cudaChannelFormatDesc number = cudaCreateChannelDesc<int>();
    cudaMalloc3DArray(&array, &number, make_cudaExtent(4, 1, 3), cudaArrayLayered | cudaArraySurfaceLoadStore);
    r.res.array.array = array;
    cudaCreateSurfaceObject(&s, &r);
    stack<<<1, 4>>>(s, 3);
    int values[12];
    cudaMemcpy3DParms copy;
    memset(&copy, 0, sizeof copy);
    copy.srcArray = array;
    copy.dstPtr = make_cudaPitchedPtr(values, 4 * sizeof(int), 4, 1);
    copy.extent = make_cudaExtent(4, 1, 3);
    copy.kind = cudaMemcpyDeviceToHost;
    cudaMemcpy3D(&copy);
    for (int i = 0; i < 12; i++)
        printf("%d ", values[i]);
    printf("\n");
    cudaDestroySurfaceObject(s);
    cudaFreeArray(array);
    cudaFree(out);
    return 0;
}
