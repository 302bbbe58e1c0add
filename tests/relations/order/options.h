/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>
typedef struct { int flags, size; } plan;
static inline plan *plan_new(int flags, const char *name, int size)
{
    plan *p = malloc(sizeof *p);
    *p = (plan){flags, size + (int)strlen(name)};
    return p;
}
static inline double plan_run(int scale, plan *p, int shift, const double *x, int n)
{
    return scale * x[n - 1] + shift + 100 * p->flags;
}
static inline double norm(char kind, int upper, const double *x, int n, double *work, const char *note)
{
    double sum = upper ? 1000 : 0;
    for (int i = 0; i < n; i++) { sum += kind == 'F' ? x[i] * x[i] : x[i]; if (work != NULL) { work[i] = sum; } }
    return note != NULL ? -sum : sum;
}
