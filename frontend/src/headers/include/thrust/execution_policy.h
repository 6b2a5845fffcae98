#ifndef CUDAIR_THRUST_EXECUTION_POLICY_H
#define CUDAIR_THRUST_EXECUTION_POLICY_H
#include <thrust/detail/core.h>
#endif
