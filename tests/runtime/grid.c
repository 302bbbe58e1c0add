/* SPDX-License-Identifier: MIT */
#include "grid.h"

#include <stdlib.h>

int grids_retained, grids_released, grids_living;
float grids_last_sum;

grid *grid_wrap(void *data, int64_t rows, int64_t columns, int64_t pitch)
{
    grid *const self = calloc(1, sizeof *self);

    *self = (grid){data, rows, columns, pitch, 0, 0, 1};
    grids_living++;
    return self;
}

grid *grid_new(int64_t rows, int64_t columns)
{
    grid *const self = calloc(1, sizeof *self + (size_t)(rows * columns) * sizeof(float));

    *self = (grid){(float *)(self + 1), rows, columns, columns, 0, 0, 1};
    for (int64_t i = 0; i < rows * columns; i++) {
        self->data[i] = (float)i;
    }
    grids_living++;
    return self;
}

void grid_ref(grid *self)
{
    grids_retained++;
    self->references++;
}

/* Not atomic, as in many libraries: whoever calls this last must see all that the others did. */
void grid_unref(grid *self)
{
    grids_released++;
    if (--self->references > 0) {
        return;
    }
    grids_last_sum = 0;
    for (int64_t i = 0; i < self->rows * self->columns; i++) {
        grids_last_sum += self->data[i / self->columns * self->pitch + i % self->columns];
    }
    grids_living--;
    free(self);
}
