/* Surface descriptions. */
#ifndef CUDAIR_SURFACE_TYPES_H
#define CUDAIR_SURFACE_TYPES_H

#include "driver_types.h"

enum cudaSurfaceBoundaryMode {
    cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap
};

enum cudaSurfaceFormatMode {
    cudaFormatModeForced, cudaFormatModeAuto
};

typedef unsigned long long cudaSurfaceObject_t;

#endif
