/* A name of the toolkit for what another header has. */
#include "cuda_fp4.h"
