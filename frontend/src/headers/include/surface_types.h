/* Surface descriptions. */
#ifndef CUDAIR_SURFACE_TYPES_H
#define CUDAIR_SURFACE_TYPES_H

#include "driver_types.h"

#define cudaSurfaceType1D 0x01
#define cudaSurfaceType2D 0x02
#define cudaSurfaceType3D 0x03
#define cudaSurfaceTypeCubemap 0x0C
#define cudaSurfaceType1DLayered 0xF1
#define cudaSurfaceType2DLayered 0xF2
#define cudaSurfaceTypeCubemapLayered 0xFC

enum cudaSurfaceBoundaryMode {
    cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap
};

enum cudaSurfaceFormatMode {
    cudaFormatModeForced, cudaFormatModeAuto
};

typedef unsigned long long cudaSurfaceObject_t;

#endif
