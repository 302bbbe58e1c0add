/* SPDX-License-Identifier: MIT */
#include <dlpack/dlpack.h>
#include <stdlib.h>
typedef struct mat {
    double *data;
    int rows, columns, step; /* from element to element */
    int ended;
} mat;
typedef struct local {
    double *data;
    int count, owns;
} local;

mat *mat_new(int rows, int columns, int step);
void mat_end(mat *self);
int mats_freed(void);
double mats_last(void); /* the first element of the one that was ended last */
local *local_new(int count);
local *local_around(double *data, int count);
void local_free(local *self);

static inline int both(const mat *a, local *b) { return a->ended + 0 * b->count; }
static inline local *derived(const mat *a) { return a->ended ? NULL : local_new(a->rows); }
static inline int fill(DLTensor *x, int *first, int *second)
{
    double *const data = x->data;

    for (int64_t i = 0; i < x->shape[0] * x->shape[1]; i++) {
        data[i] = 7;
    }
    *first = 1;
    *second = 2;
    return 3;
}
