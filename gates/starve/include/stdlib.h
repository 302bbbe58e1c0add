/* SPDX-License-Identifier: MIT */
/* Takes the place of <stdlib.h>: malloc() can fail, and live blocks are counted. */
#include_next <stdlib.h>

/* Not in C++, which only files of the tests are written in. */
#if !defined(STARVE_STDLIB_H_) && !defined(__cplusplus)
#define STARVE_STDLIB_H_

#include "../starve.h"

#define malloc(size) STARVE_BLOCK("malloc", starve_malloc, (size))
#define calloc(count, size) STARVE_BLOCK("calloc", starve_calloc, (count), (size))
/* Without parameters: the runtime also takes the address of free(). */
#define free starve_free

#endif
