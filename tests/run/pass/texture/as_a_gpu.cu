// Samples of textures to the bit, as an H100 gives them: the bits of sixteen floats a line.
#include <cstdio>
#include <cstring>

__global__ void line(cudaTextureObject_t t, const float* x, float* out) {
    int i = threadIdx.x;
    out[i] = tex1D<float>(t, x[i]);
}
__global__ void plane(cudaTextureObject_t t, const float* x, float* out, int n) {
    int i = threadIdx.x;
    out[i] = tex2D<float>(t, x[i], x[i + n]);
}
__global__ void colours(cudaTextureObject_t t, const float* x, float4* out, int n) {
    int i = threadIdx.x;
    out[i] = tex2D<float4>(t, x[i], x[i + n]);
}
__global__ void volume(cudaTextureObject_t t, const float* x, float* out, int n) {
    int i = threadIdx.x;
    out[i] = tex3D<float>(t, x[i], x[i + n], x[i + 2 * n]);
}
__global__ void levels(cudaTextureObject_t t, const float* x, float* out, int n) {
    int i = threadIdx.x;
    out[i] = tex2DLod<float>(t, x[i], x[i + n], x[i + 2 * n]);
}
__global__ void layers(cudaTextureObject_t t, const float* x, float* out, int n) {
    int i = threadIdx.x;
    out[i] = tex2DLayered<float>(t, x[i], x[i + n], i % 7 - 2);
}
__global__ void cube(cudaTextureObject_t t, const float* x, float* out, int n) {
    int i = threadIdx.x;
    out[i] = texCubemap<float>(t, x[i], x[i + n], x[i + 2 * n]);
}
__global__ void gather(cudaTextureObject_t t, const float* x, float4* out, int n) {
    int i = threadIdx.x;
    out[i] = tex2Dgather<float4>(t, x[i], x[i + n], 0);
}

const int W = 8, H = 4;
float *x, *out;

unsigned mixed(unsigned x) {
    x ^= x >> 16, x *= 0x7feb352du, x ^= x >> 15, x *= 0x846ca68bu, x ^= x >> 16;
    return x;
}
float part(unsigned seed) { return (float)(mixed(seed) >> 8); }
void coordinates(int n, float low, float high, unsigned seed) {
    for (int i = 0; i < n; i++) x[i] = low + (high - low) * part(i + seed * 7919) / 16777216.0f;
}
cudaTextureObject_t make(cudaResourceDesc r, int mode, int filter, int read, int normalized, int srgb = 0, int mip = 0) {
    cudaTextureDesc d;
    memset(&d, 0, sizeof d);
    d.addressMode[0] = d.addressMode[1] = d.addressMode[2] = (cudaTextureAddressMode)mode;
    d.filterMode = (cudaTextureFilterMode)filter;
    d.readMode = (cudaTextureReadMode)read;
    d.normalizedCoords = normalized;
    d.sRGB = srgb;
    d.mipmapFilterMode = (cudaTextureFilterMode)mip;
    d.maxMipmapLevelClamp = 3;
    d.borderColor[0] = 5;
    cudaTextureObject_t t = 0;
    if (cudaCreateTextureObject(&t, &r, &d, nullptr)) printf("no texture\n");
    return t;
}
cudaResourceDesc over(cudaArray_t a) {
    cudaResourceDesc r;
    memset(&r, 0, sizeof r);
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    return r;
}
// Ends the texture; sixteen of its samples.
void show(cudaTextureObject_t t, const char* name, int number, int from) {
    cudaDeviceSynchronize();
    cudaDestroyTextureObject(t);
    printf("%s %d\n", name, number);
    for (int i = from; i < from + 16; i++) {
        unsigned bits;
        memcpy(&bits, &out[i], 4);
        printf("%08x%c", bits, i % 16 == 15 ? '\n' : ' ');
    }
}
template <class T> void normalized(const char* name) {
    cudaArray_t a;
    cudaChannelFormatDesc d = cudaCreateChannelDesc<T>();
    cudaMallocArray(&a, &d, W, H);
    T texels[W * H];
    unsigned char* b = (unsigned char*)texels;
    for (int i = 0; i < (int)sizeof texels; i++) b[i] = (unsigned char)mixed(i + 17);
    cudaMemcpy2DToArray(a, 0, 0, texels, W * sizeof(T), W * sizeof(T), H, cudaMemcpyHostToDevice);
    coordinates(64, -1, W + 1, 3);
    for (int i = 0; i < 64; i++) x[64 + i] = -1 + (H + 2) * part(i + 99) / 16777216.0f;
    cudaTextureObject_t t = make(over(a), cudaAddressModeClamp, 1, 1, 0);
    plane<<<1, 64>>>(t, x, out, 64);
    show(t, name, 1, 0);
    cudaFreeArray(a);
}
cudaArray_t filled(const float* texels, cudaExtent size, unsigned flags) {
    cudaArray_t a;
    cudaChannelFormatDesc d = cudaCreateChannelDesc<float>();
    cudaMalloc3DArray(&a, &d, size, flags);
    cudaMemcpy3DParms copy;
    memset(&copy, 0, sizeof copy);
    copy.srcPtr = make_cudaPitchedPtr((void*)texels, size.width * 4, size.width, size.height);
    copy.dstArray = a;
    copy.extent = size;
    copy.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&copy);
    return a;
}

int main() {
    cudaMallocManaged(&x, 8192);
    cudaMallocManaged(&out, 8192);
    float v[W * H * 4];
    for (int i = 0; i < W * H * 4; i++) v[i] = (float)(int)(mixed(i + 5) >> 20) / 16.0f - 128.0f;
    cudaTextureObject_t t;
    cudaArray_t a;
    cudaChannelFormatDesc one = cudaCreateChannelDesc<float>();

    // A row: mirrors at the edges of texels, and a border that is above it as well.
    cudaMallocArray(&a, &one, W);
    cudaMemcpyToArray(a, 0, 0, v, W * 4, cudaMemcpyHostToDevice);
    for (int filter = 0; filter < 2; filter++)
        for (int mode = 2; mode < 4; mode++) {
            for (int i = 0; i < 64; i++) x[i] = (i - 20) * 0.25f / W;
            t = make(over(a), mode, filter, 0, 1);
            line<<<1, 64>>>(t, x, out);
            show(t, filter ? "row, linear, mode" : "row, mode", mode, filter || mode == 3 ? 16 : 0);
        }
    // The weights' steps.
    float w[W] = {0, 0, 0, 1, 0, 0, 0, 0};
    cudaMemcpyToArray(a, 0, 0, w, W * 4, cudaMemcpyHostToDevice);
    for (int i = 0; i < 256; i++) x[i] = 2.5f + i / 1024.0f + 1.0f / 65536;
    t = make(over(a), cudaAddressModeClamp, 1, 0, 0);
    line<<<1, 256>>>(t, x, out);
    show(t, "weights", 0, 32);
    cudaFreeArray(a);

    cudaMallocArray(&a, &one, W, H, cudaArrayTextureGather);
    cudaMemcpy2DToArray(a, 0, 0, v, W * 4, W * 4, H, cudaMemcpyHostToDevice);
    for (int mode = 0; mode < 4; mode++) {
        coordinates(512, -1.3f, 2.3f, 2);
        t = make(over(a), mode, 1, 0, 1);
        plane<<<1, 256>>>(t, x, out, 256);
        show(t, "plane, linear, mode", mode, 16);
    }
    coordinates(128, -1, 9, 8);
    t = make(over(a), cudaAddressModeClamp, 0, 0, 0);
    gather<<<1, 64>>>(t, x, (float4*)out, 64);
    show(t, "gather", 0, 0);
    cudaFreeArray(a);

    a = filled(v, make_cudaExtent(W, H, 4), 0);
    for (int mode = 0; mode < 4; mode++) {
        coordinates(768, -1.3f, 2.3f, 4);
        t = make(over(a), mode, 1, 0, 1);
        volume<<<1, 256>>>(t, x, out, 256);
        show(t, "volume, linear, mode", mode, 0);
    }
    cudaFreeArray(a);

    normalized<unsigned char>("uchar");
    normalized<signed char>("schar");
    normalized<unsigned short>("ushort");
    normalized<short>("short");

    // Layers from -2 to 4.
    a = filled(v, make_cudaExtent(W, H, 4), cudaArrayLayered);
    coordinates(256, -1, 9, 6);
    t = make(over(a), cudaAddressModeClamp, 1, 0, 0);
    layers<<<1, 128>>>(t, x, out, 128);
    show(t, "layers", 4, 0);
    cudaFreeArray(a);

    for (int i = 0; i < 96; i++) v[i] = (float)(int)(mixed(i + 5) >> 20) / 16.0f;
    a = filled(v, make_cudaExtent(4, 4, 6), cudaArrayCubemap);
    coordinates(768, -1, 1, 9);
    t = make(over(a), cudaAddressModeClamp, 1, 0, 1);
    cube<<<1, 256>>>(t, x, out, 256);
    show(t, "cube, linear", 6, 0);
    cudaFreeArray(a);

    cudaMipmappedArray_t m;
    cudaMallocMipmappedArray(&m, &one, make_cudaExtent(8, 8, 0), 4);
    for (int l = 0; l < 4; l++) {
        cudaGetMipmappedArrayLevel(&a, m, l);
        int s = 8 >> l;
        for (int i = 0; i < 64; i++) v[i] = (float)(int)(mixed(i + 100 * l) >> 20);
        cudaMemcpy2DToArray(a, 0, 0, v, s * 4, s * 4, s, cudaMemcpyHostToDevice);
    }
    cudaResourceDesc r;
    memset(&r, 0, sizeof r);
    r.resType = cudaResourceTypeMipmappedArray;
    r.res.mipmap.mipmap = m;
    for (int mip = 0; mip < 2; mip++)
        for (int filter = 0; filter < 2; filter++) {
            coordinates(512, -0.1f, 1.1f, 10);
            for (int i = 0; i < 256; i++) x[512 + i] = -1 + i / 51.0f;
            t = make(r, cudaAddressModeClamp, filter, 0, 1, 0, mip);
            levels<<<1, 256>>>(t, x, out, 256);
            show(t, mip ? "between levels, filter" : "levels, filter", filter, 80);
        }
    cudaFreeMipmappedArray(m);

    cudaChannelFormatDesc four = cudaCreateChannelDesc<uchar4>();
    cudaMallocArray(&a, &four, 256, 2);
    unsigned char px[2048];
    for (int i = 0; i < 2048; i++) px[i] = (unsigned char)(i < 1024 ? i / 4 : mixed(i));
    cudaMemcpy2DToArray(a, 0, 0, px, 1024, 1024, 2, cudaMemcpyHostToDevice);
    for (int filter = 0; filter < 2; filter++)
        for (int srgb = 0; srgb < 2; srgb++) {
            for (int i = 0; i < 256; i++) {
                x[i] = filter ? 256 * part(i + 3) / 16777216.0f : i + 0.5f;
                x[i + 256] = filter ? 2 * part(i + 31) / 16777216.0f : 0.5f;
            }
            t = make(over(a), cudaAddressModeClamp, filter, 1, 0, srgb);
            colours<<<1, 256>>>(t, x, (float4*)out, 256);
            show(t, srgb ? "sRGB, filter" : "bytes, filter", filter, filter ? 0 : 400);
        }
    cudaFreeArray(a);
    cudaFree(x);
    cudaFree(out);
    return 0;
}
