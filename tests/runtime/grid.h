/* SPDX-License-Identifier: MIT */
/* A small library with a reference count, as the tests of owners need it: everything that happens is counted. */
#ifndef GRID_H_
#define GRID_H_

#include <stdint.h>

typedef struct grid {
    float *data;
    int64_t rows;
    int64_t columns;
    int64_t pitch; /* floats from row to row */
    int locked;    /* must not be written now */
    int broken;    /* cannot be shared now */
    int references;
} grid;

/* Neither uses malloc(): what tests count there is the runtime's alone. */
grid *grid_new(int64_t rows, int64_t columns);
grid *grid_wrap(void *data, int64_t rows, int64_t columns, int64_t pitch);

void grid_ref(grid *self);
void grid_unref(grid *self);

extern int grids_retained; /* calls of grid_ref() */
extern int grids_released; /* calls of grid_unref() */
extern int grids_living;
extern float grids_last_sum; /* of the grid that ended last */

#endif
