/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
/* Numbers of its own, or those of somebody else that it was told to use. */
typedef struct strip { double *at, *own; int n; } strip;
static inline strip *strip_new(int n)
{
    strip *made = malloc(sizeof *made);
    made->at = made->own = calloc((size_t)n + 1, sizeof(double));
    made->n = n;
    return made;
}
static inline void strip_use(strip *s, double *at, int n)
{
    s->at = at;
    s->n = n;
}
static inline void strip_free(strip *s)
{
    free(s->own);
    free(s);
}
