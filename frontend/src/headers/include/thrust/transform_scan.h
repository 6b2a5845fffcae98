#include <thrust/scan.h>
