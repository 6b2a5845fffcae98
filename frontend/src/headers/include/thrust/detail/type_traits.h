#include <thrust/detail/core.h>
