/* Not supported yet: say so by name, instead of a file that is not found. */
#error "cudair does not support <curand.h> (cuRAND) yet"
