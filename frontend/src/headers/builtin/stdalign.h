/* The compiler's <stdalign.h>, for a libclang that comes without its headers. */
#ifndef CUDAIR_STDALIGN_H
#define CUDAIR_STDALIGN_H

#define __alignas_is_defined 1
#define __alignof_is_defined 1
#ifndef __cplusplus
#define alignas _Alignas
#define alignof _Alignof
#endif

#endif
