#include <thrust/detail/selection.h>
