/* Texture and surface functions: declared, so that a call is one that cudair can name as unsupported. */
#ifndef CUDAIR_TEXTURE_H
#define CUDAIR_TEXTURE_H

#define __CUDAIR_TEX(N, ...)                                                                           \
    template <class T>                                                                                 \
    __device__ T N(cudaTextureObject_t texture, __VA_ARGS__);                                          \
    template <class T>                                                                                 \
    __device__ void N(T* result, cudaTextureObject_t texture, __VA_ARGS__);
__CUDAIR_TEX(tex1Dfetch, int)
__CUDAIR_TEX(tex1D, float)
__CUDAIR_TEX(tex2D, float, float)
__CUDAIR_TEX(tex3D, float, float, float)
__CUDAIR_TEX(tex1DLayered, float, int)
__CUDAIR_TEX(tex2DLayered, float, float, int)
__CUDAIR_TEX(texCubemap, float, float, float)
__CUDAIR_TEX(texCubemapLayered, float, float, float, int)
__CUDAIR_TEX(tex1DLod, float, float)
__CUDAIR_TEX(tex2DLod, float, float, float)
__CUDAIR_TEX(tex3DLod, float, float, float, float)
__CUDAIR_TEX(tex2DGrad, float, float, float2, float2)
#undef __CUDAIR_TEX
template <class T>
__device__ T tex2Dgather(cudaTextureObject_t texture, float x, float y, int component = 0);

#define __CUDAIR_SURF(D, ...)                                                                          \
    template <class T>                                                                                 \
    __device__ T surf##D##read(cudaSurfaceObject_t surface, __VA_ARGS__,                               \
                               cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);                   \
    template <class T>                                                                                 \
    __device__ void surf##D##read(T* result, cudaSurfaceObject_t surface, __VA_ARGS__,                 \
                                  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);                \
    template <class T>                                                                                 \
    __device__ void surf##D##write(T value, cudaSurfaceObject_t surface, __VA_ARGS__,                  \
                                   cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);
__CUDAIR_SURF(1D, int)
__CUDAIR_SURF(2D, int, int)
__CUDAIR_SURF(3D, int, int, int)
__CUDAIR_SURF(2DLayered, int, int, int)
__CUDAIR_SURF(Cubemap, int, int, int)
#undef __CUDAIR_SURF

#endif
