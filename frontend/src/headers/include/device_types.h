/* Rounding modes. */
#ifndef CUDAIR_DEVICE_ROUNDING_H
#define CUDAIR_DEVICE_ROUNDING_H

enum cudaRoundMode {
    cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf
};

#endif
