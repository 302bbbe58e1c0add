/* SPDX-License-Identifier: MIT */
/* A library that halves numbers, in arrays of the caller and in memory of its own. */
#ifndef SHARES_H_
#define SHARES_H_

#include "dlb_array.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int calls; /* to half() */

static inline void half(const double *x, size_t n, double *y)
{
    calls++;
    for (size_t i = 0; i < n; i++) {
        y[i] = x[i] / 2;
    }
}

/* The weighted values; without weights the values themselves. */
static inline void weighted(const double *w, const double *x, size_t n, double *y)
{
    for (size_t i = 0; i < n; i++) {
        y[i] = (w != NULL ? w[i] : 1) * x[i];
    }
}

static inline int calls_of_half(void) { return calls; }

static inline void half_any(const void *x, size_t size, void *y) { memcpy(y, x, size); }

static inline void outer(const double *x, size_t n, const double *w, size_t m, double *y)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < m; k++) {
            y[i * m + k] = x[i] * w[k];
        }
    }
}

static inline void outer_by_column(const double *x, size_t n, const double *w, size_t m, double *y) { outer(w, m, x, n, y); }

static inline void cross(const double x[3], const double w[3], double y[3])
{
    for (int i = 0; i < 3; i++) {
        y[i] = x[(i + 1) % 3] * w[(i + 2) % 3] - x[(i + 2) % 3] * w[(i + 1) % 3];
    }
}

static inline size_t above(const double *x, size_t n, double limit, double found[], size_t where[])
{
    size_t count = 0;

    for (size_t i = 0; i < n; i++) {
        if (x[i] > limit) {
            found[count] = x[i];
            where[count++] = i;
        }
    }
    return count;
}

static inline double *copied(const double *x, size_t n)
{
    double *const copy = n > 0 ? malloc(n * sizeof *copy) : NULL;

    return copy != NULL ? memcpy(copy, x, n * sizeof *copy) : NULL;
}

static inline void divide(const double *x, size_t n, double *quotient, double *rest)
{
    for (size_t i = 0; i < n; i++) {
        quotient[i] = (double)(int)x[i];
        rest[i] = x[i] - quotient[i];
    }
}

static inline dlb_array *larger(dlb_array *a, dlb_array *b) { return a->shape[0] >= b->shape[0] ? a : b; }

typedef struct table {
    double rows[4];
} table;

extern int living; /* tables that are not freed */

static inline table *table_new(void)
{
    table *const t = calloc(1, sizeof *t);

    living += t != NULL;
    return t;
}

static inline void table_free(table *t)
{
    living--;
    free(t);
}

static inline int living_tables(void) { return living; }
static inline const double *table_rows(const table *t) { return t->rows; }
static inline const double *table_scaled(table *t, const double x[4])
{
    memcpy(t->rows, x, sizeof t->rows);
    return t->rows;
}
static inline void table_sum(const table *t, const double x[4], double y[4])
{
    for (int i = 0; i < 4; i++) {
        y[i] = t->rows[i] + x[i];
    }
}

/* Constant memory of the library: a write to it ends the process. */
static const double fixed[6] = {1, 10, 100, 2, 20, 200};

static inline const double *steps(const double *x, size_t n) { return n > 0 && x[0] >= 0 ? fixed : NULL; }
static inline void two_steps(const double *x, size_t n, const double **low, const double **high)
{
    *low = steps(x, n);
    *high = steps(x, n) != NULL ? fixed + 3 : NULL;
}

static inline table *new_table(const double *x, size_t n, const double **low)
{
    *low = steps(x, n);
    return table_new();
}

typedef struct line {
    double *at;
    size_t n;
} line;

static inline const double *line_rest(const line *x) { return x->n > 0 ? x->at + 1 : NULL; }
static inline const double *line_half(line *x)
{
    half(x->at, x->n, x->at);
    return x->at;
}
static inline double *line_all(line *x) { return x->at; }
static inline void line_sum(const line *const *lines, size_t count, double y[2])
{
    y[0] = (double)count;
    y[1] = count > 0 ? lines[0]->at[0] : 0;
}

#endif
