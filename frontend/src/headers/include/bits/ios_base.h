// A part of the library that others of its headers include: ours.
#ifndef __CUDAIR_IOS_BASE
#define __CUDAIR_IOS_BASE 1
#pragma GCC system_header
#include <ios>
#endif
