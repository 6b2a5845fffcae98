// A part of the library that others of its headers include: ours.
#ifndef __CUDAIR_LOCALE_CLASSES
#define __CUDAIR_LOCALE_CLASSES 1
#pragma GCC system_header
#include <bits/cudair_locale.h>
#endif
