/* SPDX-License-Identifier: MIT */
/* Decides at each call site whether the call fails, and counts the blocks that are allocated and not freed.
 * All modules of a process share one library (starve.c), which gates/starve/control.py drives. */
#ifndef STARVE_H_
#define STARVE_H_

#include <stddef.h>

/* One call in the source. `number` is set by the first call: 0: none yet; -1: the site never fails. */
typedef struct {
    const char *file;
    const char *name;
    const char *function;
    int line;
    int number;
} starve_site;

/* Counts a call of this site. Returns 1 if it must fail. */
int starve_fails(starve_site *site);

typedef void starve_any(void); /* any function: the caller knows its type */

/* Counts a call of this site. Returns `stub` if it must fail, which then can ask for starve_failed(), else `function`. */
starve_any *starve_choose(starve_site *site, starve_any *function, starve_any *stub);

/* Returns the site of this thread that was the last to fail in starve_choose(). */
const starve_site *starve_failed(void);

/* Allocate a block, or return NULL where the call must fail. */
void *starve_malloc(starve_site *site, size_t size);
void *starve_calloc(starve_site *site, size_t count, size_t size);

/* Frees a block, which need not come from this library. */
void starve_free(void *block);

#define STARVE_BLOCK(name, allocate, ...)                                                     \
    __extension__({                                                                           \
        static starve_site starve_here = {__FILE__, name, NULL, __LINE__, 0};                 \
        starve_here.function = __func__;                                                      \
        allocate(&starve_here, __VA_ARGS__);                                                  \
    })

/* Records a new block of this site, or forgets one. */
void starve_add_block(const starve_site *site, void *block);
void starve_remove_block(const void *block);

#endif
