/* The compiler's <stdnoreturn.h>, for a libclang that comes without its headers. */
#ifndef CUDAIR_STDNORETURN_H
#define CUDAIR_STDNORETURN_H

#define noreturn _Noreturn
#define __noreturn_is_defined 1

#endif
