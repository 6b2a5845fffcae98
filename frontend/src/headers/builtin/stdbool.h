/* The compiler's <stdbool.h>, for a libclang that comes without its headers. */
#ifndef CUDAIR_STDBOOL_H
#define CUDAIR_STDBOOL_H

#define __bool_true_false_are_defined 1
#ifndef __cplusplus
#define bool _Bool
#define true 1
#define false 0
#endif

#endif
