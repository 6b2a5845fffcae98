// A part of the library that others of its headers include: ours.
#ifndef __CUDAIR_BASIC_IOS
#define __CUDAIR_BASIC_IOS 1
#pragma GCC system_header
#include <ios>
#endif
