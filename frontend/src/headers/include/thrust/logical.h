#include <thrust/find.h>
