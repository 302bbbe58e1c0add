#include "lib.h"
#include <stdlib.h>
rope *rope_twist(size_t n)
{
    if (n > 1000) return NULL;
    rope *r = malloc(sizeof *r);
    r->n = n;
    r->strands = malloc((n + 1) * sizeof *r->strands);
    for (size_t i = 0; i < n; i++) r->strands[i] = (double)i;
    return r;
}
void rope_cut(rope *r)
{
    free(r->strands);
    free(r);
}
int knot_equal(const double *a, const double *b, size_t n)
{
    if (a == b) return 1;
    for (size_t i = 0; i < n; i++) {
        if (a[i] < b[i] || a[i] > b[i]) return 0;
    }
    return 1;
}
int knot_tie(rope *a, const rope *b)
{
    if (a->n != b->n) return -1;
    for (size_t i = 0; i < a->n; i++) a->strands[i] += a == b ? a->strands[i] : b->strands[i];
    return 0;
}
