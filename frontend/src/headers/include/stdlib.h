/* <stdlib.h>. Where the program is known to use nothing of namespace std, straight from the C library: its C++
   wrapper takes many times as long to parse, and what that adds is in the prelude already. */
#if defined(__cplusplus) && defined(__CUDAIR_PLAIN_C) && !defined(_GLIBCXX_INCLUDE_NEXT_C_HEADERS)
#define _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#include_next <stdlib.h>
#undef _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#else
#include_next <stdlib.h>
#endif
