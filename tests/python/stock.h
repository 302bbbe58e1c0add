/* SPDX-License-Identifier: MIT */
/* Blocks of memory that are of their own or shown, for the kinds of import that the probe does not have. */
#ifndef STOCK_H_
#define STOCK_H_

#include <stdint.h>
#include <stdlib.h>

enum { BLOCK_OPEN, BLOCK_SEALED };

typedef struct block {
    void *data;
    int64_t extents[9];
    int64_t pitch; /* in bytes */
    int64_t ndim;
    int64_t locks;
} block;
typedef block passed_block; /* by value */

static inline block *block_around(void *data, int64_t ndim, const int64_t *extents, int64_t pitch)
{
    block *const made = calloc(1, sizeof *made);

    if (made != NULL) {
        made->data = data;
        made->ndim = ndim;
        made->pitch = pitch;
        for (int64_t axis = 0; axis < ndim; axis++) {
            made->extents[axis] = extents[axis];
        }
    }
    return made;
}

static inline block *block_in_state(void *data, int64_t extent, int64_t locks)
{
    block *const made = block_around(data, 1, &extent, 0);

    if (made != NULL) {
        made->locks = locks;
    }
    return made;
}

static inline passed_block block_of(void *data, int64_t ndim, const int64_t *extents)
{
    passed_block made = {.data = data, .ndim = ndim};

    for (int64_t axis = 0; axis < ndim; axis++) {
        made.extents[axis] = extents[axis];
    }
    return made;
}

static inline void block_free(block *ended)
{
    free(ended);
}

#endif
