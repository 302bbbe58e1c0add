/* SPDX-License-Identifier: MIT */
#include "ends.h"

mat *mat_new(int rows, int columns, int step)
{
    mat *const made = calloc(1, sizeof *made);

    if (made != NULL) {
        *made = (mat){calloc((size_t)(rows * columns * step), sizeof(double)), rows, columns, step, 0};
    }
    return made;
}

static mat *ended;
static double last;

/* Freed by mats_freed(). */
void mat_end(mat *self)
{
    self->ended = 1;
    last = self->data[0];
    free(self->data);
    self->data = NULL;
    ended = self;
}

int mats_freed(void)
{
    const int any = ended != NULL;

    free(ended);
    ended = NULL;
    return any;
}

double mats_last(void)
{
    return last;
}

local *local_around(double *data, int count)
{
    local *const made = calloc(1, sizeof *made);

    if (made != NULL) {
        *made = (local){data, count, 0};
    }
    return made;
}

local *local_new(int count)
{
    local *const made = local_around(calloc((size_t)count, sizeof(double)), count);

    if (made != NULL) {
        made->owns = 1;
    }
    return made;
}

void local_free(local *self)
{
    if (self->owns) {
        free(self->data);
    }
    free(self);
}
