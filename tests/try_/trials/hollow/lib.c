#include "lib.h"
#include <stdlib.h>
#include <string.h>
reed *reed_cut(const double *notes, size_t count)
{
    reed *r = calloc(1, sizeof *r);
    if (count > 0) {
        r->notes = malloc(count * sizeof *notes);
        memcpy(r->notes, notes, count * sizeof *notes);
        r->count = count;
    }
    return r;
}
double reed_sum(const double *notes, size_t count)
{
    double sum = 0;
    while (count > 0) sum += notes[--count];
    return sum;
}
double *reed_positive(const double *notes, size_t count, size_t *found)
{
    double *all = NULL;
    *found = 0;
    for (size_t i = 0; i < count; i++) {
        if (!(notes[i] > 0)) continue;
        if (all == NULL) all = malloc(count * sizeof *all);
        all[(*found)++] = notes[i];
    }
    return all;
}
void reed_burn(reed *r)
{
    free(r->notes);
    free(r);
}
