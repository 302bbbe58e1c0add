/* SPDX-License-Identifier: MIT */
#include "array.h"

#include <stdlib.h>

int arrays_living, arrays_freed;

array *array_wrap(void *data, int rank, const int64_t *shape, const int64_t *strides, int kind)
{
    array *const self = calloc(1, sizeof *self);

    self->data = data;
    self->rank = rank;
    self->kind = kind;
    for (int axis = 0; axis < rank; axis++) {
        self->shape[axis] = shape[axis];
        self->strides[axis] = strides[axis];
    }
    arrays_living++;
    return self;
}

array *array_new(int rank, const int64_t *shape, int kind)
{
    int64_t strides[ARRAY_MOST];
    int64_t count = 1;
    array *self;

    for (int axis = rank - 1; axis >= 0; axis--) {
        strides[axis] = count;
        count *= shape[axis];
    }
    self = array_wrap(NULL, rank, shape, strides, kind);
    self->own = calloc((size_t)count + 1, sizeof(double)); /* enough for every kind */
    self->data = self->own;
    return self;
}

array *failing_wrap(void *data)
{
    (void)data;
    return NULL;
}

void array_free(array *self)
{
    arrays_living--;
    arrays_freed++;
    free(self->own);
    free(self);
}
