// Mipmapped arrays: their levels, samples of one level and between two, bias and bounds, gradients, layers; sRGB.
#include <cstdio>
#include <cstring>
#include <initializer_list>

#define SAY(call) printf("%s: %s\n", #call, cudaGetErrorName(call))

__global__ void plane(cudaTextureObject_t t, const float* levels, int n) {
    for (int i = 0; i < n; i++) printf("%g ", tex2DLod<float>(t, 0.5f, 0.5f, levels[i]));
    printf("%g\n", tex2D<float>(t, 0.5f, 0.5f));
}
__global__ void slopes(cudaTextureObject_t t) {
    for (float d : {0.0625f, 0.125f, 0.25f, 0.5f, 2.0f})
        printf("%g ", tex2DGrad<float>(t, 0.5f, 0.5f, make_float2(d, 0), make_float2(0, d / 2)));
    printf("\n");
}
__global__ void corners(cudaTextureObject_t t) {
    printf("%g %g %g %g\n", tex2DLod<float>(t, 0.0f, 0.0f, 2), tex2DLod<float>(t, 0.9f, 0.0f, 2),
           tex2DLod<float>(t, 0.0f, 0.9f, 2), tex2DLod<float>(t, 0.9f, 0.9f, 2));
}
__global__ void layers(cudaTextureObject_t t) {
    for (int layer = 0; layer < 2; layer++)
        printf("%d %d ", tex1DLayeredLod<int>(t, 0.6f, layer, 0), tex1DLayeredLod<int>(t, 0.6f, layer, 1));
    printf("\n");
}
__global__ void colours(cudaTextureObject_t t) {
    for (float x : {0.5f, 1.5f}) {
        float4 c = tex1D<float4>(t, x);
        printf("%.4f %.4f %.4f %.4f\n", c.x, c.y, c.z, c.w);
    }
}

void fill(cudaArray_t array, float base) {
    cudaExtent size;
    cudaArrayGetInfo(nullptr, &size, nullptr, array);
    float values[256];
    for (size_t i = 0; i < size.width * size.height; i++) values[i] = base + (base == 30.0f ? i : 0);
    cudaMemcpy2DToArray(array, 0, 0, values, size.width * 4, size.width * 4, size.height, cudaMemcpyHostToDevice);
}

int main() {
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMipmappedArray_t mipmap;
    SAY(cudaMallocMipmappedArray(&mipmap, &format, make_cudaExtent(16, 8, 0), 9));
    cudaArray_t level;
    for (unsigned i = 0; i < 6; i++) {
        cudaError_t e = cudaGetMipmappedArrayLevel(&level, mipmap, i);
        if (e) {
            printf("%u: %s\n", i, cudaGetErrorName(e));
            break;
        }
        cudaExtent size;
        cudaArrayGetInfo(nullptr, &size, nullptr, level);
        printf("%u: %zu x %zu x %zu\n", i, size.width, size.height, size.depth);
        fill(level, 10.0f * (i + 1));
    }
    float asked[] = {0, 1, 1.25f, 1.5f, 2, 4, 9, -3}, *d;
    cudaMalloc(&d, sizeof asked);
    cudaMemcpy(d, asked, sizeof asked, cudaMemcpyHostToDevice);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = mipmap;
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    how.normalizedCoords = 1;
    how.maxMipmapLevelClamp = 10;
    cudaTextureObject_t t;
    auto show = [&](const char* name) {
        printf("%s: ", name);
        fflush(stdout);
        cudaCreateTextureObject(&t, &resource, &how, nullptr);
        plane<<<1, 1>>>(t, d, 8);
        cudaDeviceSynchronize();
    };
    show("nearest");
    corners<<<1, 1>>>(t);
    cudaDeviceSynchronize();
    cudaDestroyTextureObject(t);
    how.mipmapFilterMode = cudaFilterModeLinear;
    show("linear");
    slopes<<<1, 1>>>(t);
    cudaDeviceSynchronize();
    cudaDestroyTextureObject(t);
    how.mipmapLevelBias = 0.5f;
    how.minMipmapLevelClamp = 1;
    how.maxMipmapLevelClamp = 3;
    show("bias and bounds");
    cudaDestroyTextureObject(t);
    SAY(cudaFreeMipmappedArray(mipmap));
    SAY(cudaFreeMipmappedArray(nullptr));

    // Layers keep their number.
    format = cudaCreateChannelDesc<int>();
    SAY(cudaMallocMipmappedArray(&mipmap, &format, make_cudaExtent(4, 0, 2), 2, cudaArrayLayered));
    for (unsigned i = 0; i < 2; i++) {
        cudaGetMipmappedArrayLevel(&level, mipmap, i);
        int values[8];
        for (int k = 0; k < 8; k++) values[k] = 100 * i + k;
        cudaMemcpy3DParms copy = {};
        copy.srcPtr = make_cudaPitchedPtr(values, (4 >> i) * 4, 4 >> i, 1);
        copy.dstArray = level;
        copy.extent = make_cudaExtent(4 >> i, 1, 2);
        copy.kind = cudaMemcpyHostToDevice;
        cudaMemcpy3D(&copy);
    }
    resource.res.mipmap.mipmap = mipmap;
    how = {};
    how.normalizedCoords = 1;
    how.maxMipmapLevelClamp = 1;
    SAY(cudaCreateTextureObject(&t, &resource, &how, nullptr));
    layers<<<1, 1>>>(t);
    cudaDeviceSynchronize();
    cudaDestroyTextureObject(t);
    cudaFreeMipmappedArray(mipmap);
    SAY(cudaMallocMipmappedArray(&mipmap, &format, make_cudaExtent(0, 0, 0), 2));
    SAY(cudaMallocMipmappedArray(nullptr, &format, make_cudaExtent(4, 4, 0), 2));

    // Colours; the fourth channel is none.
    uchar4 texels[2] = {{0, 128, 255, 128}, {10, 64, 200, 255}};
    format = cudaCreateChannelDesc<uchar4>();
    cudaMallocArray(&level, &format, 2);
    cudaMemcpy2DToArray(level, 0, 0, texels, sizeof texels, sizeof texels, 1, cudaMemcpyHostToDevice);
    resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = level;
    how = {};
    how.readMode = cudaReadModeNormalizedFloat;
    how.sRGB = 1;
    cudaCreateTextureObject(&t, &resource, &how, nullptr);
    colours<<<1, 1>>>(t);
    cudaDeviceSynchronize();
    cudaDestroyTextureObject(t);
    cudaFreeArray(level);
    cudaFree(d);
}
