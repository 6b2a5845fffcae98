/* Not supported yet: say so by name, instead of a file that is not found. */
#error "cudair does not support <cuda_fp8.h> (8-bit floating point) yet"
