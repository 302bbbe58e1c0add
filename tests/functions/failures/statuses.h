/* SPDX-License-Identifier: MIT */
#include <stddef.h>
enum { FINE, EMPTY = 3, SINGULAR = 7 };
static inline void solve(int n, double *a, int *info)
{
    *info = 0;
    for (int i = 0; i < n && !*info; i++) { *info = a[i] == 0 ? i + 1 : 0; a[i] *= 2; }
}
static inline double median(const double *x, size_t n, int *err)
{
    *err = n == 0 ? EMPTY : x[0] == 0 ? SINGULAR : x[0] < 0 ? 9 : FINE;
    return n == 0 ? 0 : x[n / 2];
}
static inline const char *message(int err) { return err == EMPTY ? "nothing" : err == SINGULAR ? "zero" : "negative"; }
static inline void again(int *info, const double *x, size_t n) { *info = n == 0 ? -1 : *info + (int)x[0]; }
static inline int counted(const double *x, size_t n, int *zeros)
{
    *zeros = 0;
    for (size_t i = 0; i < n; i++) { *zeros += x[i] == 0; }
    return (int)n;
}
