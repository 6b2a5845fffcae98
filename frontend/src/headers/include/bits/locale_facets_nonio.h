// A part of the library that others of its headers include: ours.
#ifndef __CUDAIR_LOCALE_FACETS_NONIO
#define __CUDAIR_LOCALE_FACETS_NONIO 1
#pragma GCC system_header
#include <bits/cudair_locale.h>
#include <iomanip>
#endif
