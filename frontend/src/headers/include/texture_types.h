/* Texture descriptions. */
#ifndef CUDAIR_TEXTURE_TYPES_H
#define CUDAIR_TEXTURE_TYPES_H

#include "driver_types.h"

enum cudaTextureAddressMode {
    cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder
};

enum cudaTextureFilterMode {
    cudaFilterModePoint, cudaFilterModeLinear
};

enum cudaTextureReadMode {
    cudaReadModeElementType, cudaReadModeNormalizedFloat
};

struct cudaTextureDesc {
    enum cudaTextureAddressMode addressMode[3];
    enum cudaTextureFilterMode filterMode;
    enum cudaTextureReadMode readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned int maxAnisotropy;
    enum cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias;
    float minMipmapLevelClamp;
    float maxMipmapLevelClamp;
    int disableTrilinearOptimization;
    int seamlessCubemap;
};

typedef unsigned long long cudaTextureObject_t;

#endif
