#include <cub/iterator/iterators.cuh>
