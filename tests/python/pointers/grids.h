/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
typedef struct grid {
    float cells[16], *far;
    int rows, columns, step;
} grid;
static inline grid *grid_new(int rows, int columns, int step)
{
    grid *const made = calloc(1, sizeof *made);
    *made = (grid){.far = made->cells, .rows = rows, .columns = columns, .step = step};
    return made;
}
static inline void grid_free(grid *self) { free(self); }
