#ifndef CUDAIR_THRUST_TUPLE_PUBLIC_H
#define CUDAIR_THRUST_TUPLE_PUBLIC_H
#include <thrust/detail/core.h>
#endif
