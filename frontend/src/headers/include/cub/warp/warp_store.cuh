#include <cub/block/block_store.cuh>
