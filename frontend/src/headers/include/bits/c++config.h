// The standard library's configuration: templates that its binary holds instances of are instantiated here
// all the same, so that they are code like the program's own.
#pragma GCC system_header
#include_next <bits/c++config.h>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0
