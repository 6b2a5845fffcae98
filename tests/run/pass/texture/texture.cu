// Textures over arrays and memory: fetches, filters, address modes, normalized coordinates and values, layers, cubes.
#include <cstdio>
#include <cstring>

__global__ void fetch(cudaTextureObject_t t, float* out) {
    int i = threadIdx.x;
    out[i] = tex1Dfetch<float>(t, i - 2);
}
__global__ void line(cudaTextureObject_t t, const float* at, float* out) { out[threadIdx.x] = tex1D<float>(t, at[threadIdx.x]); }
__global__ void plane(cudaTextureObject_t t, const float2* at, float4* out) {
    out[threadIdx.x] = tex2D<float4>(t, at[threadIdx.x].x, at[threadIdx.x].y);
}
__global__ void bytes(cudaTextureObject_t t, int n) {
    for (int i = 0; i < n; i++) {
        uchar4 v = tex2D<uchar4>(t, i, 1);
        printf("%d %d %d %d;", v.x, v.y, v.z, v.w);
    }
    printf("\n");
}
__global__ void volume(cudaTextureObject_t t) {
    printf("%g %g %g %g\n", tex3D<float>(t, 0.5f, 0.5f, 0.5f), tex3D<float>(t, 2.5f, 1.5f, 1.5f),
           tex3D<float>(t, 1.0f, 1.0f, 1.0f), tex3D<float>(t, 1.25f, 0.5f, 0.5f));
}
__global__ void layers(cudaTextureObject_t t, int n) {
    for (int layer = -1; layer <= n; layer++)
        printf("%g ", tex2DLayered<float>(t, 1.0f, 1.0f, layer));
    printf("\n");
}
__global__ void faces(cudaTextureObject_t t) {
    const float3 to[7] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}, {1, 0.6f, -0.6f}};
    for (int i = 0; i < 7; i++)
        printf("%d ", texCubemap<int>(t, to[i].x, to[i].y, to[i].z));
    printf("\n");
}
__global__ void gather(cudaTextureObject_t t) {
    float4 v = tex2Dgather<float4>(t, 1.0f, 1.0f, 0);
    printf("%g %g %g %g\n", v.x, v.y, v.z, v.w);
}
__global__ void halves(cudaTextureObject_t t) {
    for (int i = 0; i < 4; i++)
        printf("%g ", tex1D<float>(t, i + 0.5f));
    short2 none = make_short2(0, 0);
    printf("%d\n", none.x);
}

cudaTextureObject_t texture(cudaResourceDesc resource, cudaTextureAddressMode mode, cudaTextureFilterMode filter,
                            cudaTextureReadMode read, bool normalized) {
    cudaTextureDesc d;
    memset(&d, 0, sizeof d);
    d.addressMode[0] = d.addressMode[1] = d.addressMode[2] = mode;
    d.filterMode = filter;
    d.readMode = read;
    d.normalizedCoords = normalized;
    d.borderColor[0] = 9;
    cudaTextureObject_t t = 0;
    cudaError_t error = cudaCreateTextureObject(&t, &resource, &d, NULL);
    if (error)
        printf("%s\n", cudaGetErrorName(error));
    return t;
}
cudaResourceDesc over(cudaArray_t array) {
    cudaResourceDesc r;
    memset(&r, 0, sizeof r);
    r.resType = cudaResourceTypeArray;
    r.res.array.array = array;
    return r;
}

int main() {
    float *in, *out;
    float2* at;
    cudaMallocManaged(&in, 4096);
    cudaMallocManaged(&out, 4096);
    cudaMallocManaged(&at, 4096);
    for (int i = 0; i < 1024; i++)
        in[i] = i;

    // Linear memory: zeros outside, whatever the mode.
    cudaResourceDesc linear;
    memset(&linear, 0, sizeof linear);
    linear.resType = cudaResourceTypeLinear;
    linear.res.linear.devPtr = in + 0;
    linear.res.linear.desc = cudaCreateChannelDesc<float>();
    linear.res.linear.sizeInBytes = 4 * sizeof(float);
    in[0] = 7;
    const cudaTextureAddressMode ends[2] = {cudaAddressModeBorder, cudaAddressModeClamp};
    for (cudaTextureAddressMode mode : ends) {
        cudaTextureObject_t t = texture(linear, mode, cudaFilterModePoint, cudaReadModeElementType, false);
        fetch<<<1, 8>>>(t, out);
        cudaDeviceSynchronize();
        for (int i = 0; i < 8; i++)
            printf("%g ", out[i]);
        printf("\n");
        cudaDestroyTextureObject(t);
    }

    // One dimension: four texels 10, 20, 30, 40.
    cudaArray_t row;
    cudaChannelFormatDesc one = cudaCreateChannelDesc<float>();
    float values[4] = {10, 20, 30, 40};
    cudaMallocArray(&row, &one, 4);
    cudaMemcpyToArray(row, 0, 0, values, sizeof values, cudaMemcpyHostToDevice);
    float* where = (float*)at;
    for (int normalized = 0; normalized < 2; normalized++)
        for (int filter = 0; filter < 2; filter++)
            for (int mode = 0; mode < 4; mode++) {
                cudaTextureObject_t t = texture(over(row), (cudaTextureAddressMode)mode, (cudaTextureFilterMode)filter,
                                                cudaReadModeElementType, normalized);
                for (int i = 0; i < 14; i++)
                    where[i] = (i - 4) * 0.75f / (normalized ? 4 : 1);
                line<<<1, 14>>>(t, where, out);
                cudaDeviceSynchronize();
                for (int i = 0; i < 14; i++)
                    printf("%g ", out[i]);
                printf("\n");
                cudaDestroyTextureObject(t);
            }
    cudaFreeArray(row);

    // Two dimensions: bytes as they are, and as numbers.
    cudaArray_t image;
    cudaChannelFormatDesc rgba = cudaCreateChannelDesc<uchar4>();
    cudaMallocArray(&image, &rgba, 3, 2);
    uchar4 pixels[2][3];
    for (int y = 0; y < 2; y++)
        for (int x = 0; x < 3; x++)
            pixels[y][x] = make_uchar4(x * 51, y * 255, 102, 255);
    cudaMemcpy2DToArray(image, 0, 0, pixels, sizeof pixels[0], sizeof pixels[0], 2, cudaMemcpyHostToDevice);
    cudaTextureObject_t t = texture(over(image), cudaAddressModeClamp, cudaFilterModePoint, cudaReadModeElementType, false);
    bytes<<<1, 1>>>(t, 4);
    cudaDeviceSynchronize();
    cudaDestroyTextureObject(t);
    t = texture(over(image), cudaAddressModeWrap, cudaFilterModeLinear, cudaReadModeNormalizedFloat, true);
    at[0] = make_float2(0.5f, 0.5f), at[1] = make_float2(0, 0.25f), at[2] = make_float2(-0.5f, 1.75f);
    plane<<<1, 3>>>(t, at, (float4*)out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 12; i++)
        printf("%g ", out[i]);
    printf("\n");
    cudaDestroyTextureObject(t);
    uchar4 back[2][3];
    cudaMemcpy2DFromArray(back, sizeof back[0], image, 0, 0, sizeof back[0], 2, cudaMemcpyDeviceToHost);
    printf("%d\n", memcmp(back, pixels, sizeof back));
    cudaFreeArray(image);

    // Pitched memory, three dimensions, layers, the faces of a cube.
    float4* pitched;
    size_t pitch;
    cudaMallocPitch(&pitched, &pitch, 2 * sizeof(float4), 2);
    cudaMemcpy2D(pitched, pitch, in, 2 * sizeof(float4), 2 * sizeof(float4), 2, cudaMemcpyDefault);
    cudaResourceDesc plain;
    memset(&plain, 0, sizeof plain);
    plain.resType = cudaResourceTypePitch2D;
    plain.res.pitch2D.devPtr = pitched;
    plain.res.pitch2D.desc = cudaCreateChannelDesc<float4>();
    plain.res.pitch2D.width = plain.res.pitch2D.height = 2;
    plain.res.pitch2D.pitchInBytes = pitch;
    t = texture(plain, cudaAddressModeClamp, cudaFilterModePoint, cudaReadModeElementType, false);
    at[0] = make_float2(1.9f, 1.9f), at[1] = make_float2(0.1f, 1), at[2] = make_float2(-5, 7);
    plane<<<1, 3>>>(t, at, (float4*)out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 12; i++)
        printf("%g ", out[i]);
    printf("\n");
    cudaDestroyTextureObject(t);
    cudaFree(pitched);

    cudaArray_t box;
    cudaMalloc3DArray(&box, &one, make_cudaExtent(3, 2, 2), 0);
    cudaMemcpy3DParms copy;
    memset(&copy, 0, sizeof copy);
    copy.srcPtr = make_cudaPitchedPtr(in + 100, 3 * sizeof(float), 3, 2);
    copy.dstArray = box;
    copy.extent = make_cudaExtent(3, 2, 2);
    copy.kind = cudaMemcpyDefault;
    cudaMemcpy3D(&copy);
    t = texture(over(box), cudaAddressModeClamp, cudaFilterModeLinear, cudaReadModeElementType, false);
    volume<<<1, 1>>>(t);
    cudaDeviceSynchronize();
    cudaDestroyTextureObject(t);
    cudaFreeArray(box);

    cudaArray_t stack;
    cudaMalloc3DArray(&stack, &one, make_cudaExtent(2, 2, 3), cudaArrayLayered);
    copy.srcPtr = make_cudaPitchedPtr(in + 200, 2 * sizeof(float), 2, 2);
    copy.dstArray = stack;
    copy.extent = make_cudaExtent(2, 2, 3);
    cudaMemcpy3D(&copy);
    t = texture(over(stack), cudaAddressModeClamp, cudaFilterModeLinear, cudaReadModeElementType, false);
    layers<<<1, 1>>>(t, 3);
    cudaDeviceSynchronize();
    cudaDestroyTextureObject(t);
    cudaFreeArray(stack);

    cudaArray_t cube;
    cudaChannelFormatDesc number = cudaCreateChannelDesc<int>();
    int faceValues[24];
    for (int i = 0; i < 24; i++)
        faceValues[i] = i / 4 * 10 + i % 4;
    cudaMalloc3DArray(&cube, &number, make_cudaExtent(2, 2, 6), cudaArrayCubemap);
    copy.srcPtr = make_cudaPitchedPtr(faceValues, 2 * sizeof(int), 2, 2);
    copy.dstArray = cube;
    copy.extent = make_cudaExtent(2, 2, 6);
    copy.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&copy);
    t = texture(over(cube), cudaAddressModeWrap, cudaFilterModePoint, cudaReadModeElementType, true);
    faces<<<1, 1>>>(t);
    cudaDeviceSynchronize();
    cudaDestroyTextureObject(t);
    cudaFreeArray(cube);

    cudaArray_t square;
    cudaMallocArray(&square, &one, 2, 2, cudaArrayTextureGather);
    cudaMemcpyToArray(square, 0, 0, values, sizeof values, cudaMemcpyHostToDevice);
    t = texture(over(square), cudaAddressModeClamp, cudaFilterModePoint, cudaReadModeElementType, false);
    gather<<<1, 1>>>(t);
    cudaDeviceSynchronize();
    cudaDestroyTextureObject(t);
    cudaFreeArray(square);

    // Halves become floats: 1.5, -2, the least subnormal, the largest number.
    cudaArray_t narrow;
    cudaChannelFormatDesc half = cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
    unsigned short bits[4] = {0x3e00, 0xc000, 0x0001, 0x7bff};
    cudaMallocArray(&narrow, &half, 4);
    cudaMemcpyToArray(narrow, 0, 0, bits, sizeof bits, cudaMemcpyHostToDevice);
    t = texture(over(narrow), cudaAddressModeClamp, cudaFilterModePoint, cudaReadModeElementType, false);
    halves<<<1, 1>>>(t);
    cudaDeviceSynchronize();
    cudaDestroyTextureObject(t);
    cudaChannelFormatDesc got;
    cudaExtent extent;
    unsigned flags;
    cudaArrayGetInfo(&got, &extent, &flags, narrow);
    printf("%d %d %d, %zu %zu %zu, %u\n", got.x, got.y, got.f, extent.width, extent.height, extent.depth, flags);
    cudaFreeArray(narrow);
    cudaFree(in);
    cudaFree(out);
    cudaFree(at);
    return 0;
}
