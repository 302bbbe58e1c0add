/* SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <stdlib.h>
typedef double real;
typedef int64_t index_t;
typedef _Bool flag;
typedef unsigned char letter;
static inline letter sums_after(letter given) { return (letter)(given + 1); }
static inline void sums_shift(letter *given, index_t by, letter *old)
{
    *old = *given;
    *given = (letter)(*given + by);
}
static inline index_t *sums_upto(index_t n)
{
    index_t *list = malloc(sizeof *list * (size_t)n);
    for (index_t i = 0; i < n; i++) { list[i] = i; }
    return list;
}
static inline index_t sums_at(const index_t *list, index_t i) { return list[i]; }
static inline real sums_dot(const real *x, const real *y, index_t n)
{
    real sum = 0;
    for (index_t i = 0; i < n; i++) { sum += x[i] * y[i]; }
    return sum;
}
static inline void sums_range(const real *x, index_t n, real *low, real *high)
{
    *low = *high = n > 0 ? x[0] : 0;
    for (index_t i = 0; i < n; i++) { *low = x[i] < *low ? x[i] : *low; *high = x[i] > *high ? x[i] : *high; }
}
static inline index_t sums_fill(real *x, index_t n, real value, flag negative)
{
    for (index_t i = 0; i < n; i++) { x[i] = negative ? -value : value; }
    return n;
}
