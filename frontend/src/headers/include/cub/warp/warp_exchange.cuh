#include <cub/block/block_exchange.cuh>
