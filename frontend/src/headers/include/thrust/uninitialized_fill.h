#include <thrust/fill.h>
