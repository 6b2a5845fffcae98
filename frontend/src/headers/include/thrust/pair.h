#ifndef CUDAIR_THRUST_PAIR_PUBLIC_H
#define CUDAIR_THRUST_PAIR_PUBLIC_H
#include <thrust/detail/core.h>
#endif
