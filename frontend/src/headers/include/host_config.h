/* nvcc's checks of the host compiler: nothing to do here. */
#pragma once

#include <host_defines.h>
