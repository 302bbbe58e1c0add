/* SPDX-License-Identifier: MIT */
#include <stdint.h>

typedef struct grid {
    int16_t *cells;
    long rows, columns, pitch; /* pitch: in elements */
} grid;

typedef struct row {
    double *values;
    int8_t count; /* holds no more than 127 */
} row;

static inline long grid_sum(const grid *self)
{
    long sum = 0;

    for (long at = 0; at < self->rows * self->columns; at++) {
        sum += self->cells[at / self->columns * self->pitch + at % self->columns];
    }
    return sum;
}
