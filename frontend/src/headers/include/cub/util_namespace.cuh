#include <cub/util.cuh>
