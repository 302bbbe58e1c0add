/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>
typedef struct { int flags, size; } pump;
static inline pump *pump_new(int size, int flags, const char *name)
{
    pump *p = malloc(sizeof *p);
    *p = (pump){flags, size + (int)strlen(name)};
    return p;
}
static inline double pump_push(pump *p, double gain, const double *x, int n, int turns)
{
    return p->size + gain * x[n - 1] * turns;
}
static inline int pump_flow(int rate, int by, int offset, int context)
{
    return 1000 * rate + 100 * by + 10 * offset + context;
}
