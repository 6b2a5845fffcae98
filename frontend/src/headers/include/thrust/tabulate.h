#include <thrust/generate.h>
