/* make_*: builders of the structs that describe pitched memory. */
#ifndef CUDAIR_DRIVER_FUNCTIONS_H
#define CUDAIR_DRIVER_FUNCTIONS_H

#include "driver_types.h"

static __inline__ __host__ struct cudaPitchedPtr make_cudaPitchedPtr(void* ptr, size_t pitch, size_t xsize,
                                                                     size_t ysize) {
    struct cudaPitchedPtr p;
    p.ptr = ptr;
    p.pitch = pitch;
    p.xsize = xsize;
    p.ysize = ysize;
    return p;
}

static __inline__ __host__ struct cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
    struct cudaPos p;
    p.x = x;
    p.y = y;
    p.z = z;
    return p;
}

static __inline__ __host__ struct cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
    struct cudaExtent e;
    e.width = width;
    e.height = height;
    e.depth = depth;
    return e;
}

#endif
