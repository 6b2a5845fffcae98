#include <thrust/gather.h>
