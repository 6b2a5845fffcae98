#include <cub/block/block_merge_sort.cuh>
