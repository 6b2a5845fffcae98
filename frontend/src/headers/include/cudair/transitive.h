/* What the headers of Thrust and CUB bring along beyond what they are for, where a program lives on that. */
#ifndef CUDAIR_TRANSITIVE_H
#define CUDAIR_TRANSITIVE_H

#include <algorithm>
#include <array>
#include <cassert>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iomanip>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include <cub/util_allocator.cuh>
#include <thrust/detail/transitive.h>

#endif
