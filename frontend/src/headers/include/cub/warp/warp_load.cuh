#include <cub/block/block_load.cuh>
