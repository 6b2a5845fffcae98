/* Force-included first into every .cu file, as nvcc includes its runtime header. */
#include <cuda_runtime.h>
