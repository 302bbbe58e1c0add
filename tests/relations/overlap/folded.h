/* SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <stdlib.h>
typedef struct { int32_t *cells; long rows, columns, down, right; } sheet;
typedef struct { sheet base; } begun;
typedef struct { sheet base; } copied;
typedef struct { sheet base; } shown;
/* A library that finds the rows of a cell by its distance: it divides by the steps. */
static inline int sheet_count(const sheet *s)
{
    return (int)((s->rows - 1) * s->down / s->down + s->columns * s->right / s->right);
}
static inline int sheet_touch(sheet *s) { return sheet_count(s); }
static inline int sheet_both(const sheet *a, const sheet *b) { return sheet_count(a) + sheet_count(b); }
static inline int sheet_count_all(const sheet *const *all, int n)
{
    int count = 0;
    for (int i = 0; i < n; i++) { count += sheet_count(all[i]); }
    return count;
}
static inline int begun_over(begun *s, int32_t *data, const int64_t *shape, const int64_t *strides)
{
    s->base = (sheet){data, (long)shape[0], (long)shape[1], (long)strides[0], (long)strides[1]};
    return strides[0] / strides[1] < 1;
}
static inline int begun_count(const begun *s) { return sheet_count(&s->base); }
static inline int sum_of(const sheet *s)
{
    int sum = 0;
    for (long i = 0; i < s->rows * s->columns; i++) {
        sum += s->cells[i / s->columns * s->down + i % s->columns * s->right];
    }
    return sum;
}
static inline int copied_sum(const copied *s) { return sheet_count(&s->base) * 100 + sum_of(&s->base); }
static inline void copied_fill(copied *s) { s->base.cells[0] = 9; }
static inline int shown_sum(const shown *s) { return sum_of(&s->base); }
