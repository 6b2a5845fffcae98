/* Data types shared by the CUDA libraries. */
#ifndef CUDAIR_LIBRARY_TYPES_H
#define CUDAIR_LIBRARY_TYPES_H

/* filled below */

#endif
