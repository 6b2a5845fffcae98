/* make_*. */
#pragma once

#include <vector_functions.h>
