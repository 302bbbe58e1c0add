/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
typedef struct tally {
    float *cells;
    int rows, columns, fixed, reads;
} tally;
static inline tally *tally_new(int rows, int columns, int fixed)
{
    tally *const made = calloc(1, sizeof *made);
    *made = (tally){calloc((size_t)(rows * columns), sizeof(float)), rows, columns, fixed, 0};
    return made;
}
static inline void tally_free(tally *self)
{
    free(self->cells);
    free(self);
}
static inline float *tally_cells(tally *self)
{
    self->reads++;
    return self->cells;
}
