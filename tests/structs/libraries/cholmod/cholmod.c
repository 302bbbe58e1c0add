#include "cholmod.h"

#include <stdlib.h>

static int live;

static void put(void *array, int wide, size_t at, size_t value)
{
    if (wide) {
        ((int64_t *)array)[at] = (int64_t)value;
    } else {
        ((int32_t *)array)[at] = (int32_t)value;
    }
}

cholmod_sparse *cholmod_make(size_t n, int itype, int xtype, int dtype)
{
    cholmod_sparse *a = calloc(1, sizeof *a);
    size_t entry = 0;

    *a = (cholmod_sparse){n, n, 2 * n + 3, calloc(n + 1, 8), calloc(2 * n + 3, 8), NULL, NULL, 0, itype, xtype, dtype, 1, 1};
    a->x = xtype == CHOLMOD_PATTERN ? NULL : calloc(2 * n + 3, 16);
    for (size_t column = 0; column < n; column++) {
        put(a->p, itype == CHOLMOD_LONG, column, entry);
        for (size_t row = column == 0 ? 0 : column - 1; row <= column; row++, entry++) {
            put(a->i, itype == CHOLMOD_LONG, entry, row);
            if (xtype == CHOLMOD_REAL && dtype == CHOLMOD_DOUBLE) {
                ((double *)a->x)[entry] = (double)(entry + 1);
            }
        }
    }
    put(a->p, itype == CHOLMOD_LONG, n, entry);
    live++;
    return a;
}

void cholmod_free_sparse(cholmod_sparse **a)
{
    free((*a)->p);
    free((*a)->i);
    free((*a)->x);
    free(*a);
    *a = NULL;
    live--;
}

cholmod_dense *cholmod_allocate_dense(size_t nrow, size_t ncol, size_t d, int xdtype)
{
    cholmod_dense *x = calloc(1, sizeof *x);

    *x = (cholmod_dense){nrow, ncol, d * ncol, d, calloc(d * ncol + 1, 16), NULL, xdtype % 4, xdtype / 4};
    live++;
    return x;
}

void cholmod_free_dense(cholmod_dense **x)
{
    free((*x)->x);
    free(*x);
    *x = NULL;
    live--;
}

double cholmod_entry(const cholmod_dense *x, size_t row, size_t column)
{
    return ((const double *)x->x)[row + column * x->d];
}

cholmod_vector *cholmod_vector_new(int n)
{
    cholmod_vector *v = calloc(1, sizeof *v);

    v->n = n;
    v->index = calloc((size_t)n, sizeof *v->index);
    v->value = calloc((size_t)n, sizeof *v->value);
    v->mark = calloc((size_t)n, 1);
    live++;
    return v;
}

void cholmod_vector_free(cholmod_vector *v)
{
    free(v->index);
    free(v->value);
    free(v->mark);
    free(v);
    live--;
}

int cholmod_live(void)
{
    return live;
}
