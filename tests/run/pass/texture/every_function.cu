// Every function of texture and surface objects, on arrays of every shape: by coordinates, at a level of detail, by
// gradients; as a value and through a pointer.
#include <cstdio>
#include <vector>

const int SIZE = 8, LEVELS = 3, LAYERS = 3;

// An element says its level, its layer (or slice), its row and its column.
float element(int level, int layer, int row, int column) {
    return (float)(1000 * level + 100 * layer + 10 * row + column);
}

cudaTextureObject_t texture(cudaExtent extent, unsigned int flags, cudaMipmappedArray_t* array) {
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    cudaMallocMipmappedArray(array, &desc, extent, LEVELS, flags);
    for (int level = 0; level < LEVELS; level++) {
        cudaArray_t at;
        cudaGetMipmappedArrayLevel(&at, *array, level);
        size_t width = extent.width >> level, height = extent.height ? extent.height >> level : 1;
        bool layered = flags & (cudaArrayLayered | cudaArrayCubemap);
        size_t depth = extent.depth ? layered ? extent.depth : extent.depth >> level : 1;
        std::vector<float> data;
        for (size_t z = 0; z < depth; z++)
            for (size_t y = 0; y < height; y++)
                for (size_t x = 0; x < width; x++)
                    data.push_back(element(level, (int)z, (int)y, (int)x));
        cudaMemcpy3DParms copy = {};
        copy.srcPtr = make_cudaPitchedPtr(data.data(), width * sizeof(float), width, height);
        copy.dstArray = at;
        copy.extent = make_cudaExtent(width, height, depth);
        copy.kind = cudaMemcpyHostToDevice;
        cudaMemcpy3D(&copy);
    }
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = *array;
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = how.addressMode[2] = cudaAddressModeClamp;
    how.normalizedCoords = 1;
    how.maxMipmapLevelClamp = LEVELS - 1;
    cudaTextureObject_t object = 0;
    cudaCreateTextureObject(&object, &resource, &how, nullptr);
    return object;
}

struct Textures {
    cudaTextureObject_t line, plane, space, lines, planes, cube, cubes;
};

#define SHOW(f, ...)                                                                                   \
    {                                                                                                  \
        float v = f<float>(__VA_ARGS__), w = -1;                                                       \
        f(&w, __VA_ARGS__);                                                                            \
        printf("%-22s %g%s\n", #f, v, v == w ? "" : ", through a pointer another value");              \
    }
__global__ void fetch(Textures t) {
    // Steps of two texels of level 0: level 1.
    float s = 2.0f / SIZE;
    float2 along = make_float2(s, 0), across = make_float2(0, s);
    float4 deep = make_float4(0, 0, s, 0), wide = make_float4(s, 0, 0, 0);
    // On the face towards -y a step of 1 / 2 is two texels of eight.
    float4 face = make_float4(0.5f, 0, 0, 0), up = make_float4(0, 0, 0.25f, 0);
    SHOW(tex1D, t.line, 0.4f)
    SHOW(tex1DLod, t.line, 0.4f, 2.0f)
    SHOW(tex1DGrad, t.line, 0.4f, s, 0.0f)
    SHOW(tex2D, t.plane, 0.4f, 0.9f)
    SHOW(tex2DLod, t.plane, 0.4f, 0.9f, 1.0f)
    SHOW(tex2DGrad, t.plane, 0.4f, 0.9f, along, across)
    SHOW(tex3D, t.space, 0.4f, 0.9f, 0.6f)
    SHOW(tex3DLod, t.space, 0.4f, 0.9f, 0.6f, 1.0f)
    SHOW(tex3DGrad, t.space, 0.4f, 0.9f, 0.6f, deep, wide)
    SHOW(tex1DLayered, t.lines, 0.4f, 2)
    SHOW(tex1DLayeredLod, t.lines, 0.4f, 2, 1.0f)
    SHOW(tex1DLayeredGrad, t.lines, 0.4f, 2, 0.0f, 2 * s)
    SHOW(tex2DLayered, t.planes, 0.4f, 0.9f, 1)
    SHOW(tex2DLayeredLod, t.planes, 0.4f, 0.9f, 1, 2.0f)
    SHOW(tex2DLayeredGrad, t.planes, 0.4f, 0.9f, 1, across, along)
    SHOW(texCubemap, t.cube, 0.3f, -1.0f, 0.7f)
    SHOW(texCubemapLod, t.cube, 0.3f, -1.0f, 0.7f, 1.0f)
    SHOW(texCubemapGrad, t.cube, 0.3f, -1.0f, 0.7f, face, up)
    SHOW(texCubemapLayered, t.cubes, 0.3f, -1.0f, 0.7f, 1)
    SHOW(texCubemapLayeredLod, t.cubes, 0.3f, -1.0f, 0.7f, 1, 2.0f)
    SHOW(texCubemapLayeredGrad, t.cubes, 0.3f, -1.0f, 0.7f, 1, up, face)
    // Four values of one component, counter-clockwise from below.
    float4 four = tex2Dgather<float4>(t.plane, 0.5f, 0.5f, 0);
    printf("tex2Dgather            %g %g %g %g\n", four.x, four.y, four.z, four.w);
}

struct Surfaces {
    cudaSurfaceObject_t line, plane, space, lines, planes, cube, cubes;
};

#define CHANGE(D, object, ...)                                                                         \
    {                                                                                                  \
        int v = surf##D##read<int>(object, 4 * 3, ##__VA_ARGS__), w;                                   \
        surf##D##read(&w, object, 4 * 3, ##__VA_ARGS__);                                               \
        surf##D##write(v * 2 + 1, object, 4 * 5, ##__VA_ARGS__);                                       \
        int out = surf##D##read<int>(object, 4 * 1000, ##__VA_ARGS__, cudaBoundaryModeZero);           \
        int end = surf##D##read<int>(object, 4 * 1000, ##__VA_ARGS__, cudaBoundaryModeClamp);          \
        printf("%-15s %d %d, then %d; outside %d, at the edge %d\n", #D, v, w,                         \
               surf##D##read<int>(object, 4 * 5, ##__VA_ARGS__), out, end);                            \
    }
__global__ void change(Surfaces s) {
    CHANGE(1D, s.line)
    CHANGE(2D, s.plane, 2)
    CHANGE(3D, s.space, 2, 1)
    CHANGE(1DLayered, s.lines, 2)
    CHANGE(2DLayered, s.planes, 6, 1)
    CHANGE(Cubemap, s.cube, 1, 4)
    CHANGE(CubemapLayered, s.cubes, 1, 9)
}

cudaSurfaceObject_t surface(cudaExtent extent, unsigned int flags, cudaArray_t* array) {
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<int>();
    cudaMalloc3DArray(array, &desc, extent, flags | cudaArraySurfaceLoadStore);
    size_t height = extent.height ? extent.height : 1, depth = extent.depth ? extent.depth : 1;
    std::vector<int> data;
    for (size_t i = 0; i < extent.width * height * depth; i++)
        data.push_back((int)i);
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(data.data(), extent.width * sizeof(int), extent.width, height);
    copy.dstArray = *array;
    copy.extent = make_cudaExtent(extent.width, height, depth);
    copy.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&copy);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = *array;
    cudaSurfaceObject_t object = 0;
    cudaCreateSurfaceObject(&object, &resource);
    return object;
}

int main() {
    const cudaExtent shapes[7] = {make_cudaExtent(SIZE, 0, 0),      make_cudaExtent(SIZE, SIZE, 0),
                                  make_cudaExtent(SIZE, SIZE, SIZE), make_cudaExtent(SIZE, 0, LAYERS),
                                  make_cudaExtent(SIZE, SIZE, LAYERS), make_cudaExtent(SIZE, SIZE, 6),
                                  make_cudaExtent(SIZE, SIZE, 12)};
    const unsigned int flags[7] = {0, 0, 0, cudaArrayLayered, cudaArrayLayered, cudaArrayCubemap,
                                   cudaArrayCubemap | cudaArrayLayered};
    cudaMipmappedArray_t mipmaps[7];
    cudaArray_t arrays[7];
    cudaTextureObject_t t[7];
    cudaSurfaceObject_t s[7];
    for (int i = 0; i < 7; i++) {
        t[i] = texture(shapes[i], flags[i] | (i == 1 ? cudaArrayTextureGather : 0), &mipmaps[i]);
        s[i] = surface(shapes[i], flags[i], &arrays[i]);
    }
    fetch<<<1, 1>>>(Textures{t[0], t[1], t[2], t[3], t[4], t[5], t[6]});
    change<<<1, 1>>>(Surfaces{s[0], s[1], s[2], s[3], s[4], s[5], s[6]});
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    for (int i = 0; i < 7; i++) {
        cudaDestroyTextureObject(t[i]);
        cudaDestroySurfaceObject(s[i]);
        cudaFreeMipmappedArray(mipmaps[i]);
        cudaFreeArray(arrays[i]);
    }
}
