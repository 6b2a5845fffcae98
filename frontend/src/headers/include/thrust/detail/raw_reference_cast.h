#include <thrust/detail/pointer.h>
