#include <cub/device/device_select.cuh>
